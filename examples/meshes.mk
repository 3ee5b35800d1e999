# The example `meshes` with its files: the buffers with the draw table, and a picture of what was where.

.PHONY: meshes
meshes: $(EX)/meshes$(EXE) ## the mesh importer; writes meshes.bin and meshes.svg, the occupancy over time, to build/meshes
	@mkdir -p $(B)/meshes
	$(RUN) $(EX)/meshes$(EXE) $(B)/meshes
