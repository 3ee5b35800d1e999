# What the documentation names has to exist.
.PHONY: check-readme
CHECKS += check-readme
check-readme: ## every test, target, file and function that README and the header's tables name exists
	@sh tests/tools/check-readme.sh $(B)/readme
