#!/usr/bin/env python3
"""Fits the constants of the memory estimate, and says how well it does on trainings whose source it was fitted without.

usage: fit_vram.py MEASURED.csv TERMS.csv ESTIMATES.csv

TERMS.csv is what `preflight vram --rows SETUPS.csv --terms` answers: what each constant of the expected figure is multiplied
with. A source is a repository, a notebook or a discussion; several trainings may come from one. Constants are fitted to the
clean setups by the sum of their relative errors, of which each counts as 20 % at most, one vote per setup.
"""
import collections, csv, re, statistics as st, sys

NAMES = ("gaps", "workspace before torch 2.3", "before 2.9", "later", "without tensor cores", "crowd", "floor")

def load(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))

def source(row):
    return "/".join(row["source"].split("/")[:5])

def generation(torch):
    found = re.match(r"(\d+)\.(\d+)", torch)
    version = tuple(map(int, found.groups())) if found else (9, 9)
    return 0 if version < (2, 3) else 1 if version < (2, 9) else 2

def factors(row, terms):
    t = {name: float(value) for name, value in terms.items() if name != "id"}
    by_torch = [t["images"] if generation(row["torch"]) == g else 0.0 for g in range(3)]
    return t["kept"], (t["graph"], *by_torch, t["without_tensor_cores"], t["crowd"], 1.0)

def expected(constants, sample):
    kept, row = sample[0], sample[1]
    return kept + sum(c * f for c, f in zip(constants, row))

def errors(constants, setups):
    """One signed relative error a setup: of the medians, as the scorer takes them."""
    for samples in setups.values():
        measured = st.median(s[2] for s in samples)
        yield (st.median(expected(constants, s) for s in samples) - measured) / measured

def fit(setups, constants):
    constants = list(constants)
    def loss(c):
        return sum(min(abs(e), 0.2) for e in errors(c, setups))
    best, step = loss(constants), [max(abs(c) * 0.3, 0.01) for c in constants]
    for _ in range(14):
        for i in range(len(constants)):
            for sign in (1, -1):
                tried = constants.copy()
                tried[i] = max(tried[i] + sign * step[i], 0.0)
                if (value := loss(tried)) < best - 1e-9:
                    best, constants = value, tried
                    break
            else:
                step[i] *= 0.6
    return constants

def told(name, found):
    found = sorted(abs(e) for e in found)
    print(f"{name}: median {st.median(found):.1%}  p90 {found[min(len(found) - 1, int(.9 * len(found)))]:.1%}  of {len(found)} setups")

def anchors(rows, estimates):
    """AutoBatch's own profiles and our figures, where a training of the same setup was measured."""
    ours = {e["id"]: float(e["expected_mib"]) for e in estimates if e["expected_mib"]}
    def setup(row):
        return row["model"], row["imgsz"], row["batch"]
    measured = collections.defaultdict(list)
    for row in rows:
        if row["kind"] == "epoch_line" and row["use"] == "clean" and row["reserved_mib"]:
            measured[setup(row)].append(row)
    for row in rows:
        if row["kind"] == "autobatch_row" and setup(row) in measured:
            same = measured[setup(row)]
            need = st.median(float(r["reserved_mib"]) for r in same)
            profile, own = float(row["reserved_mib"]), st.median(ours[r["id"]] for r in same if r["id"] in ours)
            print(f"{' '.join(setup(row))}: measured {need:.0f} MiB, AutoBatch's profile {profile / need - 1:+.0%}, ours {own / need - 1:+.0%} ({row['id']})")

def main(measured, terms, estimates):
    rows = load(measured)
    by_id = {t["id"]: t for t in load(terms)}
    setups = collections.defaultdict(list)
    for row in rows:
        if row["kind"] == "epoch_line" and row["use"] == "clean" and row["reserved_mib"] and row["id"] in by_id:
            kept, f = factors(row, by_id[row["id"]])
            setups[(row["task"], row["model"], row["imgsz"], row["batch"])].append((kept, f, float(row["reserved_mib"]), source(row)))
    constants = fit(setups, (0.1, 19.0, 9.0, 4.0, 20.0, 6.0, 50.0))
    print("fitted to all: " + ", ".join(f"{n} {c:.3g}" for n, c in zip(NAMES, constants)))
    told("fitted to all", errors(constants, setups))
    without, kept_only = [], []
    for name in sorted({s[3] for samples in setups.values() for s in samples}):
        rest = {k: left for k, v in setups.items() if (left := [s for s in v if s[3] != name])}
        theirs = {k: own for k, v in setups.items() if (own := [s for s in v if s[3] == name])}
        without.extend(errors(fit(rest, constants), theirs))
    told("each source left out", without)
    told("the traced graph alone, no constant", errors((0.0,) * 7, setups))
    anchors(rows, load(estimates))

if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
