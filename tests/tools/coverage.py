#!/usr/bin/env python3
"""Reads llvm-cov's JSON export: which lines, branches and MC/DC conditions of arena.h were reached.

An inline function or one made by a macro is compiled into many files; what one of them reaches
counts for all, so places are united by their position in arena.h. Exit status 1 if any of the three
figures is below the threshold, or if arena.h does not appear at all, or if it appears without
lines, branches or decisions.
"""
import argparse
import copy
import json
import os
import sys


def find(export, name):
    for data in export["data"]:
        for entry in data["files"]:
            if os.path.basename(entry["filename"]) == name:
                return entry
    return None


def lines_of(entry):
    """Line -> reached or not. A segment is [line, column, count, has_count, is_region_entry, is_gap]
    and holds until the next; a line has the greatest count of the segments that begin on it, and of
    the one that runs into it."""
    lines = {}
    segments = entry["segments"]
    for i, seg in enumerate(segments):
        line, _, count, has_count, is_entry, is_gap = seg
        if has_count and is_entry and not is_gap:
            lines[line] = max(lines.get(line, 0), count)
        end = segments[i + 1][0] if i + 1 < len(segments) else line
        if has_count and not is_gap:
            for inner in range(line + 1, end):
                lines[inner] = max(lines.get(inner, 0), count)
    return {line: count > 0 for line, count in lines.items()}


def branches_of(entry):
    """(position, outcome) -> reached or not."""
    sides = {}
    for b in entry.get("branches", []):
        for outcome, count in ((True, b[4]), (False, b[5])):
            key = (tuple(b[:4]), outcome)
            sides[key] = max(sides.get(key, 0), count)
    return {key: count > 0 for key, count in sides.items()}


def conditions_of(entry):
    """(position of the decision, number of the condition) -> shown to decide by itself, or not."""
    conditions = {}
    for record in entry.get("mcdc_records", []):
        shown = record[-1]
        for i, held in enumerate(shown):
            key = (tuple(record[:4]), i)
            conditions[key] = conditions.get(key, False) or bool(held)
    return conditions


def judge(export, name, threshold, missing, say=print):
    entry = find(export, name)
    if entry is None:
        say("%s does not appear in the result" % name)
        return False
    good = True
    for kind, places in (("lines", lines_of(entry)), ("branches", branches_of(entry)),
                         ("MC/DC conditions", conditions_of(entry))):
        reached = sum(1 for held in places.values() if held)
        if not places:
            say("%s: none at all in %s" % (kind, name))
            good = False
            continue
        rate = 100.0 * reached / len(places)
        say("%-17s %5d of %5d  %6.2f %%" % (kind + ":", reached, len(places), rate))
        if rate < threshold:
            good = False
        lost = [place_of(kind, key) for key, held in places.items() if not held]
        lost.sort(key=lambda text: [int(part) for part in text.split()[0].split(":")])
        for text in lost[:missing]:
            say("    not reached: %s:%s" % (name, text))
        if len(lost) > missing > 0:
            say("    and %d more" % (len(lost) - missing))
    return good


def place_of(kind, key):
    if kind == "lines":
        return str(key)
    if kind == "branches":
        what = "never true" if key[1] else "never false"
    else:
        what = "condition %d never decided" % (key[1] + 1)
    return "%d:%d %s" % (key[0][0], key[0][1], what)


def self_test():
    """The gate has to pass a complete result and refuse each doctored one."""
    complete = {"data": [{"files": [{
        "filename": "somewhere/arena.h",
        "segments": [[1, 1, 5, True, True, False], [3, 2, 0, False, False, False],
                     [5, 1, 2, True, True, False], [5, 9, 0, False, False, False]],
        "branches": [[2, 1, 2, 9, 3, 4, 0, 0, 4], [10, 1, 10, 9, 1, 1, 0, 0, 4]],
        "mcdc_records": [[2, 1, 2, 9, 1, 1, 0, 0, 5, [True, True]]],
    }]}]}

    def verdict(change, threshold=100):
        export = copy.deepcopy(complete)
        change(export["data"][0]["files"])
        return judge(export, "arena.h", threshold, 0, lambda text: None)

    def change_segment(files): files[0]["segments"][2][2] = 0
    def change_true(files): files[0]["branches"][0][4] = 0
    def change_false(files): files[0]["branches"][1][5] = 0
    def change_condition(files): files[0]["mcdc_records"][0][-1][1] = False
    def no_lines(files): files[0]["segments"] = []
    def no_branches(files): files[0]["branches"] = []
    def no_decisions(files): files[0]["mcdc_records"] = []
    def no_file(files): del files[0]
    def other_file(files): files[0]["filename"] = "somewhere/other_arena.h.c"
    def united(files):
        files[0]["branches"][0][4] = 0
        files[0]["branches"].append([2, 1, 2, 9, 1, 0, 0, 0, 4])

    wanted = [(lambda files: None, 100, True), (change_segment, 100, False),
              (change_true, 100, False), (change_false, 100, False), (change_condition, 100, False),
              (no_lines, 100, False), (no_branches, 100, False), (no_decisions, 100, False),
              (no_file, 0, False), (other_file, 0, False), (united, 100, True),
              (change_true, 75, True), (change_true, 76, False)]
    good = True
    for change, threshold, expected in wanted:
        if verdict(change, threshold) != expected:
            print("self-test: %s at %d should be %s" %
                  (change.__name__, threshold, "accepted" if expected else "refused"))
            good = False
    print("self-test of the gate: %s" % ("passed" if good else "failed"))
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export", nargs="?")
    parser.add_argument("--file", default="arena.h")
    parser.add_argument("--threshold", type=float, default=100)
    parser.add_argument("--missing", type=int, default=40)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test() else 1
    with open(arguments.export) as stream:
        export = json.load(stream)
    return 0 if judge(export, arguments.file, arguments.threshold, arguments.missing) else 1


sys.exit(main())
