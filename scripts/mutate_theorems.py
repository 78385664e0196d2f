"""Changes one definition of the proved checker at a time: each change must make a proof fail.

    python scripts/mutate_theorems.py [NUMBER ...]

Compiles the theorems once, then every changed module and what stands on it, until Coq refuses. The exit status is 1 if
a changed definition is still proved. Needs `coqc`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "theorems"
MODULES = re.search(r"^MODULES := (.*) Extraction$", (ROOT / "Makefile").read_text(), re.M)[1].split()

# module, what stands there, what is put in its place, what that would be
MUTANTS = [
    ("Model", "if free p s then Z.min 0 (k p) else k p", "Z.min 0 (k p)", "no class needs rows"),
    ("Model", "Definition free (p : policy) (s : list label) : bool := suppress p && stars s",
     "Definition free (p : policy) (s : list label) : bool := suppress p || stars s", "every class is free under suppress"),
    ("Model", "a :: s', b :: t' => (a =? b) && labels_eqb s' t'", "a :: s', b :: t' => labels_eqb s' t'",
     "all rows show the same"),
    ("Reading", "&& (one_height (map (hd []) rows) && column_tidy (map (hd []) rows)) && tidy m'", "&& tidy m'",
     "hierarchies are not looked at"),
    ("Reading", "Nat.eqb l l' && (z =? z') && places_eqb x' y'", "Nat.eqb l l' && places_eqb x' y'",
     "a label may cost more for some values"),
    ("Reading", "Nat.eqb l l' && (z =? z') && places_eqb x' y'", "(z =? z') && places_eqb x' y'",
     "a label may stand at other levels for some values"),
    ("Reading", "(0 <=? fst x) && (0 <=? snd x) &&", "(0 <=? fst x) &&", "costs below 0"),
    ("Walk", "(dark && (fst x =? star)) (sofar + snd x)", "(dark && (fst x =? star)) (sofar + snd x + 1)", "a row costs too much"),
    ("Walk", "(dark && (fst x =? star)) (sofar + snd x)", "dark (sofar + snd x)", "every instance is free"),
    ("Walk", "(part_by (label_key l) g) []", "(part_by (label_key O) g) []", "rows parted by their values at any level"),
    ("Walk", "Definition level_key (v : vector) : positive := Pos.of_succ_nat (hd O v)",
     "Definition level_key (v : vector) : positive := xH", "one level for all vectors"),
    ("Dominance", "if vector_eqb q v then false\n      else allowed q && alike_all q g", "if vector_eqb q v then false\n      else alike_all q g",
     "passed over for a vector that the mask does not allow"),
    ("Dominance", "else allowed q && alike_all q g && forallb", "else allowed q && forallb", "passed over though rows differ there"),
    ("Dominance", "(pays q i <=? pays v i) && (rank q i <? rank v i)", "(rank q i <? rank v i)", "passed over for a dearer vector"),
    ("Dominance", "(pays q i <=? pays v i) && (rank q i <? rank v i)", "(pays q i <=? pays v i)", "two vectors passed over for each other"),
    ("Dominance", "  if dark then false else\n  match g with", "  match g with", "the free instance is passed over"),
    ("Prices", "snd x * Z.max 0 (theta - fst x)", "snd x * Z.max 0 (theta - fst x - 1)", "terms off by one"),
    ("Prices", "let n' := Z.min n (sum snd ts) in below (Z.max 0 (hint n' ts)) n' ts",
     "let n' := Z.min n (sum snd ts) in below (hint n' ts) n' ts", "a class is not filled up to exactly k"),
    ("Prices", "let n' := Z.min n (sum snd ts) in", "let n' := n + 1 in", "a class is filled up to k + 1"),
    ("Prices", "sum (fun x => snd x * Z.min 0 (fst x)) ts", "sum (fun x => Z.min 0 (fst x)) ts", "one row of each type"),
    ("Prices", "map (fun i => (term i, Z.max 0 (count i))) G", "map (fun i => (term i, 1)) G", "one row of each type in an instance"),
    ("Components", "if dark then false else few (k p) ts.\nDefinition stop_few", "few (k p) ts.\nDefinition stop_few",
     "the free instance needs k rows"),
    ("Components", "forallb (fun i => asks i <=? q) ts", "existsb (fun i => asks i <=? q) ts", "stopped at the first dear row"),
    ("Components", "Definition few (n : Z) (ts : list type) : bool := rows_of ts <? n",
     "Definition few (n : Z) (ts : list type) : bool := rows_of ts <=? n", "an instance of exactly k rows is left out"),
    ("Components", "if w <? 0 then if aside", "if w <? -1 then if aside", "an instance that adds -1 is left out"),
    ("Components", "if blank g || unneeding then negative ts", "if unneeding then negative ts", "the free instance counts as one of k"),
    ("Components", "- (- value / (parts * step)) * step", "(value / (parts * step) + 1) * step", "rounded up once too often"),
    ("Components", "- (- value / (parts * step)) * step", "- (- value / (parts * step)) * step + 1", "one too much"),
    ("Components", "Z.gcd (snd x) n", "Z.max (snd x) n", "a step that does not divide the costs"),
    ("Components", "blank g || one_part (members g) || skips (at_vector g) (members g)", "true", "components that share instances"),
    ("Cuts", "together x y <? 2 * k", "together x y <=? 2 * k", "two instances of exactly 2 k rows exclude each other"),
    ("Cuts", "(q * (k - r)) (listed", "(q * (k - r) - 1) (listed", "a side that is too small"),
    ("Cuts", "(fun g i => if listed instances g then - as_number (negb (here s i)) else 0)", "(fun g i => 0)",
     "rows outside the set are not counted"),
    ("Cuts", "rows_in (is_type z) own =? 1", "rows_in (is_type z) own <=? 2", "a type of two rows among three of one"),
    ("Cuts", "negb (a =? b) && existsb", "existsb", "a pair of one type"),
    ("Cuts", "(0 <=? k) && (0 <=? c) && forallb", "(0 <=? k) && forallb", "more full instances than there are rows"),
    ("Cuts", "let z := Z.min k (sum", "let z := Z.max k (sum", "a closed instance frees too few rows"),
    ("Cuts", "negb (listed part g && listed full g)", "true", "an instance on both sides"),
    ("Cuts", "Some (Inequality 1 (z * h)", "Some (Inequality 1 (z * h - 1)", "a side one too small"),
    ("Leaves", "if is_hub hub (fst name) || free p s then None", "if is_hub hub (fst name) then None", "the free instance is named"),
    ("Leaves", "(0 <? divisor q) && (0 <=? w) && (w mod", "(0 <? divisor q) && (w mod", "a weight below 0"),
    ("Leaves", "  | Some false => 0\n", "  | Some false => 1\n", "a closed instance adds 1"),
    ("Leaves", "match marked with None => Z.min 0 least_sum", "match marked with None => least_sum", "every named instance is open"),
    ("Leaves", "names - sum (fun x => fst x * side (snd x)) used", "names", "cuts that cost nothing"),
    ("Leaves", "labels_eqb (shows v i) (face n)) (get (code_key v) dictionary)", "true) (get (code_key v) dictionary)",
     "one name for all instances of a vector"),
    ("Leaves", "let q := parts * match rows n", "let q := 1 + parts * match rows n", "a row of a named instance costs too much"),
    ("Trees", "Some (Z.min a b)", "Some (Z.max a b)", "the better side of a branch"),
    ("Trees", "      if distinct names then\n", "      if true then\n", "an instance named twice"),
    ("Pairs", "(fst x =? fst y) && (fst x =? fst z)", "(fst x =? fst y)", "a triple costs what a pair does"),
    ("Pairs", "Z.min (snd x) w", "Z.max (snd x) w", "a cell shown alike at its dearest level"),
    ("Pairs", "sum price part + sum (fun s => snd s * odd (", "sum price part + sum (fun s => snd s * Z.min 1 (", "an even set counts"),
    ("Pairs", "pays_for 2 (asked [fst x; fst y])", "pays_for 3 (asked [fst x; fst y])", "a pair pays for three rows"),
    ("Pairs", "forallb (pair_good x) l' && pairs_good l'", "forallb (pair_good x) l'", "pairs of the first row alone"),
    ("Pairs", "triples_with x l' && triples_good l'", "triples_good l'", "triples inside a set are not looked at"),
    ("Pairs", "(0 <=? snd s) && (odd", "(odd", "a set of a price below 0"),
    ("Pairs", "(odd (number_of (fun _ => true) held) =? 1) && ", "", "a set of two rows"),
    ("Pairs", "lifted i * unit_ <=? scale", "price i * unit_ <=? scale", "a single row does not pay for its sets"),
    ("Pairs", "(match kinds with None => 2 <=? k p | Some _ => true end) && ", "", "classes of one row"),
    ("Pairs", "Type_ (fst r) 1 (fst x) 0 n (snd r)", "Type_ (fst r) 1 (fst x) 0 0 (snd r)", "all rows have one number"),
    ("Pairs", "\n         && (step_of rows mod unit_ c =? 0)", "", "a unit that does not divide the costs"),
    ("Pairs", "filter (fun v => within v first) (mask p)", "tl (mask p)",
     "a vector of the mask forgotten in a matching"),
    ("Pairs", "2 * Z.of_N (share (value o)) <=? whole", "Z.of_N (share (value o)) <=? whole", "a value may have all of a class"),
    ("Pairs", "(0 <? whole) && forallb (fun o => 2", "forallb (fun o => 2", "shares of nothing"),
    ("Pairs", "Some f, Some g => Some (f, g) | _, _", "Some f, _ => Some (f, fun o => o) | _, _", "a column that is not judged"),
    ("Pairs", "|| (g (other i) =? g (other j)) end", "|| negb (g (other i) =? g (other j)) end", "rows of other values are no group"),
    ("Pairs", "clash (fst x) (fst y) || pays_for 2 (snd x", "clash (fst x) (fst x) || pays_for 2 (snd x", "no pair is looked at"),
    ("Pairs", "clash x y || clash x z || clash y z || pays_for 3", "clash x y || clash x x || clash y z || pays_for 3",
     "no triple is looked at"),
    ("Pairs", "match kinds with None => suppress p | Some _ => false end", "false", "single rows need not pay"),
    ("Runs", "if eqb x y then (y, n + 1) :: more", "if eqb x y then (y, n + 2) :: more", "rows counted twice"),
    ("Bound", "Some ts => Some (Type_ r n p c at_ 0 :: ts)", "Some ts => Some (Type_ r (n + 1) p c at_ 0 :: ts)", "a row more of each type"),
    ("Bound", "Definition vectors_of (p : policy) (m : nat) : list vector := filter (fun v => Nat.eqb (length v) m) (mask p)",
     "Definition vectors_of (p : policy) (m : nat) : list vector := tl (mask p)", "a vector of the mask forgotten"),
    ("Bound", "if (0 <? in_parts c) && tidy", "if tidy", "parts below 1"),
    ("Release", "allowed dictionary (snd rv) && fitting", "fitting", "a vector that the mask does not allow"),
    ("Release", "Nat.ltb l (length c) && fitting v' cells'", "fitting v' cells'", "a level that a column does not have"),
    ("Release", "(snd x =? snd y)", "true", "other columns may change"),
    ("Release", "free p (fst r) || (k p <=? snd r)", "free p (fst r) || (k p <=? snd r + 1)", "a crowd of k - 1"),
    ("Release", "     && records_eqb (RecordSort.sort released) (RecordSort.sort (map made assigned))\n", "", "other rows than those made"),
    ("Required", "if (0 <? whole) && forallb (fun n => 0 <=? snd n) numbers", "if 0 <? whole", "a share's multiplier below 0"),
    ("Required", "- sum (fun n => Z.of_N (share (fst n)) * snd n) numbers / whole",
     "- (sum (fun n => Z.of_N (share (fst n)) * snd n) numbers / whole)", "a share rounded to the wrong side"),
    ("Required", "if fst n =? x then snd n else 0", "snd n", "one number for all values"),
    ("Required", "<=? each * apart x z) values) values", "<=? each * (apart x z + 1)) values) values", "values further apart than they are"),
    ("Required", "forallb (fun x => forallb (fun z => parts *", "forallb (fun x => forallb (fun z => ", "distances in other parts"),
    ("Required", "each * most * n) / (n * parts * whole)", "each * most) / (n * parts * whole)", "the distance of one row alone"),
    ("Required", "(0 <? parts) && (0 <=? each)", "(0 <? parts)", "a distance's multiplier below 0"),
    ("Multipliers", "let n := if blank g then 1 else k p in", "let n := k p in", "stars alone need k rows"),
    ("Multipliers", "Z.max (least n (terms", "Z.max (least (n + 1) (terms", "a class of k + 1 rows"),
    ("Multipliers", "if negb (blank g) && few (k p) (members g) then 0", "if few (k p) (members g) then 0",
     "stars alone of few rows are left out"),
    ("Multipliers", "if w <? 0 then if", "if w <? -1 then if", "a class that adds -1 is left out"),
    ("Multipliers", "q - price i + sum (fun c", "q - price i + 1 + sum (fun c", "more taken than a multiplier says"),
    ("Multipliers", "if negb (blank g) && skips", "if skips", "the free instance is passed over under requirements"),
    ("Meeting", "whole * snd x <=? Z.of_N (share (fst x)) * size", "whole * snd x <=? Z.of_N (share (fst x)) * size + 1",
     "a share of a row more"),
    ("Meeting", "least <=? Z.of_nat (length (nodup", "least <=? 1 + Z.of_nat (length (nodup", "a value too few"),
    ("Meeting", "(0 <=? snd t) && existsb", "existsb", "pairs below 0"),
    ("Meeting", "  && forallb (fun x => leaving (fst x) m =? snd x) xs && forallb", "  && forallb", "rows left over in a pairing"),
    ("Meeting", "<=? most * (n * size))", "<=? most * (n * size) + 1)", "a pairing that is too far"),
    ("Bound", "Type_ (fst r) n p 0 at_ (snd r)", "Type_ (fst r) n p 0 at_ 0", "other columns forgotten"),
    ("Bound", "cells_eqb (fst x) (fst y) && (snd x =? snd y)", "cells_eqb (fst x) (fst y)", "rows of other columns in one type"),
    ("Release", "crowds p released && all_meet p original released", "crowds p released", "requirements are not looked at"),
    ("Release", "filter (fun r => labels_eqb (fst r) (fst x)) (get", "id (get", "classes that share a hash judged as one"),
    ("Logarithms", "- (- (x * y) / fine)", "x * y / fine", "a power rounded down"),
    ("Logarithms", "(x y : Z) : Z := x * y / fine", "(x y : Z) : Z := - (- (x * y) / fine)", "a power rounded up"),
    ("Logarithms", "by_ base (by_ half half)", "by_ half half", "an odd power too small"),
    ("Logarithms", "power times_up base q * d <=? n * fine", "power times_up base q * d <=? n * fine + 1", "a logarithm too large"),
    ("Required", "(fine <? base) && (0 <? Z.of_N", "(0 <? Z.of_N", "logarithms to a base below 1"),
    ("Required", "(0 <=? number_at weights x) && log_holds", "log_holds", "a weight of entropy below 0"),
    ("Required", "(Z.of_N whole) s weights logs values\n", "(Z.of_N whole) 1 weights logs values\n", "weights that are not shares of their sum"),
    ("Required", "Nat.ltb (length (snd t)) l", "Nat.leb (length (snd t)) l", "l values of most rows where l - 1 are asked"),
    ("Required", "(0 <=? fst (fst t)) && Nat.ltb", "Nat.ltb", "a recursive multiplier below 0"),
    ("Required", "(fst t, nodup Z.eq_dec (snd t))", "(fst t, snd t)", "a value twice among those of most rows"),
    ("Meeting", "(fun x => snd x ^^ snd x) class", "snd class", "an entropy too large"),
    ("Meeting", "<=? (d * n) ^^ n)", "<=? (d * n + 1) ^^ n)", "an entropy a little too small accepted"),
    ("Meeting", "(0 <=? c) && (0 <? c * rest)", "(0 <? c * rest)", "a recursive requirement of a c below 0"),
    ("Meeting", "whole * snd x <? c * rest", "whole * snd x <=? c * rest", "as many rows as the rest where fewer are asked"),
    ("Meeting", "n - (Z.of_nat (pred l) * theta", "n - (Z.of_nat (pred (pred l)) * theta", "a value of most rows too few"),
    ("Meeting", "all_differ values (o :: found)", "all_differ values found", "rows that are like the row itself"),
    ("Meeting", "Nat.leb l (S (length found))", "Nat.leb l (S (S (length found)))", "a row too few that differ"),
    ("Meeting", "forallb (fun x => existsb (Z.eqb x) class) found && all_differ", "all_differ", "rows of other classes that differ"),
    ("Spread", "Z.of_N (share (fst x)) * most / whole", "Z.of_N (share (fst x)) / whole", "the share of one row alone"),
    ("Spread", "| _ => existsb (fun c => Z.of_nat (length (values_of (fst c) G)) <? snd c",
     "| _ => existsb (fun c => Z.of_nat (length (values_of (fst c) G)) <=? snd c", "as many values as are asked are too few"),
    ("Spread", "(values_of value G)) <? n)", "(values_of value G)) <=? n)", "as many rows as a class needs are too few"),
    ("Spread", "Z.min x (lowest l')", "Z.max x (lowest l')", "the dearest row of a value"),
    ("Spread", "(Z.max 0 (snd x - theta), 1)", "(Z.max 0 (snd x), 1)", "the rows of values counted twice"),
    ("Spread", "=? x then Z.max 0 (count i) else 0", "=? x then 1 else 0", "one row of each type of a value"),
    ("Spread", "(value, Z.of_nat l)) values", "(value, Z.of_nat (S l))) values", "joint l-diversity asks for a value more"),
    ("Multipliers", "existsb (hopeless n (members g))", "existsb (hopeless (n + 1) (members g))", "no class has exactly k rows"),
]  # fmt: skip


def compiled(folder: Path, modules: list[str]) -> str | None:
    """Compile modules one after another; return the one that Coq refuses."""
    for name in modules:
        done = subprocess.run(  # noqa: S603
            ["coqc", "-Q", ".", "Incrowd", f"{name}.v"],  # noqa: S607
            cwd=folder, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        if done.returncode:
            return name
    return None


def main() -> int:
    """Print what became of every mutant."""
    asked = [int(number) for number in sys.argv[1:]] or range(1, len(MUTANTS) + 1)
    survived = 0
    with tempfile.TemporaryDirectory() as place:
        base, work = Path(place, "base"), Path(place, "work")
        base.mkdir()
        for name in MODULES:
            shutil.copy(ROOT / f"{name}.v", base)
        if compiled(base, MODULES) is not None:
            sys.exit("the theorems themselves are not proved")
        for number in asked:
            module, old, new, meaning = MUTANTS[number - 1]
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(base, work)
            text = (work / f"{module}.v").read_text()
            if text.count(old) != 1:
                sys.exit(f"mutant {number}: {module}.v has {old!r} {text.count(old)} times")
            (work / f"{module}.v").write_text(text.replace(old, new))
            refused = compiled(work, MODULES[MODULES.index(module) :])
            survived += refused is None
            print(
                f"| {number} | `{module}` | {meaning} | {'STILL PROVED' if refused is None else f'`{refused}`'} |",
                flush=True,
            )
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
