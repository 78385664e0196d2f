(** What is proved, in the field's own words. Nothing here is about certificates, solvers or checks: only about an original, a
    policy, and the tables that may be released. The theorems are [bound] in [Bound.v] and [release] in [Release.v]. *)
From Coq Require Import ZArith List Permutation.
Import ListNotations.
Open Scope Z_scope.

(** What a cell shows is a label. One label is the star. *)
Definition label := Z.
Definition star : label := 0.

(** A cell of the original, level by level: the label that stands for it there, and what showing that costs. Level 0 is the
    value itself, every further level an ancestor in the column's hierarchy, the last one the star. Of a column of ranges every
    run of its grid's cells is a level; what a value shows at the levels of runs that do not hold it is a label of its own. *)
Definition cell := list (label * Z).
Definition at_level (l : nat) (c : cell) : label * Z := nth l c (star, 0).

(** A row of the original: the cells of its quasi-identifiers, and its other columns together as one number. A row of a
    release: the labels that it shows, and its other columns. *)
Definition row : Type := list cell * Z.
Definition record : Type := list label * Z.

(** A level for every quasi-identifier; what a row shows there, and what that costs. *)
Definition vector := list nat.
Definition fits (v : vector) (cells : list cell) : Prop := Forall2 (fun l c => (l < length c)%nat) v cells.
Definition shown (v : vector) (cells : list cell) : list label := map (fun '(l, c) => fst (at_level l c)) (combine v cells).
Definition cost (v : vector) (cells : list cell) : Z := fold_right Z.add 0 (map (fun '(l, c) => snd (at_level l c)) (combine v cells)).

(** What is asked of every class beside a crowd. [value] reads a sensitive value off a row's other columns. [Shares]: no value
    x in more than [share x] / [whole] of the rows. [Distinct]: at least so many values. [Entropy]: with n rows, c of each
    value, -sum (c / n) ln (c / n) is at least ln ([l] / [whole]), which is to say l^n prod c^c <= (whole n)^n. [Recursive]: no
    value has as many rows as [c] / [whole] times those that are left without any [l] - 1 values. [Joint]: every row lies in
    [l] rows that differ pairwise in every one of [values]. [Close]: the rows, each as often as the original has rows, and the
    original's, each as often as there are rows, can be paired so that pairs are on average [most] / [whole] apart at most: this
    is t-closeness by the earth mover's distance. *)
Inductive requirement :=
| Shares (value : Z -> Z) (share : Z -> N) (whole : Z) | Distinct (value : Z -> Z) (least : Z)
| Entropy (value : Z -> Z) (l : N) (whole : N) | Recursive (value : Z -> Z) (l : nat) (c whole : Z)
| Joint (values : list (Z -> Z)) (l : nat) | Close (value : Z -> Z) (apart : Z -> Z -> Z) (most whole : Z).
Definition times (n : nat) (l : list Z) : list Z := concat (repeat l n).
Definition often (x : Z) (l : list Z) : Z := Z.of_nat (count_occ Z.eq_dec l x).
Definition meets (original class : list Z) (q : requirement) : Prop := let n := Z.of_nat (length class) in match q with
  | Shares value share whole => forall x, whole * often x (map value class) <= Z.of_N (share x) * n
  | Distinct value least => least <= Z.of_nat (length (nodup Z.eq_dec (map value class)))
  | Entropy value l whole => let xs := map value class in
      Z.of_N l ^ n * fold_right Z.mul 1 (map (fun x => often x xs) xs) <= (Z.of_N whole * n) ^ n
  | Recursive value l c whole => forall x t, NoDup t -> (length t < l)%nat ->
      whole * often x (map value class) < c * (n - fold_right Z.add 0 (map (fun y => often y (map value class)) t))
  | Joint values l => forall o, In o class -> exists rows, In o rows /\ incl rows class /\ (l <= length rows)%nat /\
      ForallOrdPairs (fun a b => forall value, In value values -> value a <> value b) rows
  | Close value apart most whole => exists pairs,
      Permutation (map fst pairs) (times (length original) (map value class)) /\
      Permutation (map snd pairs) (times (length class) (map value original)) /\
      whole * fold_right Z.add 0 (map (fun xy => apart (fst xy) (snd xy)) pairs) <= most * Z.of_nat (length pairs)
  end.

(** The policy: which level vectors are allowed, how large a crowd is, whether rows of stars alone need none, and what else is
    asked of every class. *)
Record policy := Policy { mask : list vector; k : Z; suppress : bool; required : list requirement }.
Definition class_of (x : list label) (released : list record) : list Z :=
  map snd (filter (fun r => if list_eq_dec Z.eq_dec (fst r) x then true else false) released).

(** [released] is a release of [original] under [p] and costs [total]: rows can be assigned one to one, and each a level vector
    of the mask, so that every released row shows its own row there and keeps its other columns; every row shown has its
    crowd; and every class meets what is required. *)
Definition is_release (p : policy) (original : list row) (released : list record) (total : Z) : Prop :=
  exists assigned : list (row * vector), Permutation original (map fst assigned) /\
    Permutation released (map (fun rv => (shown (snd rv) (fst (fst rv)), snd (fst rv))) assigned) /\
    (forall r v, In (r, v) assigned -> In v (mask p) /\ fits v (fst r)) /\
    (forall x, In x (map fst released) -> (suppress p = true /\ forall l, In l x -> l = star) \/ k p <= Z.of_nat (length (class_of x released))) /\
    (forall x q, In x (map fst released) -> In q (required p) -> meets (map snd original) (class_of x released) q) /\
    total = fold_right Z.add 0 (map (fun rv => cost (snd rv) (fst (fst rv))) assigned).
