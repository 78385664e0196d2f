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
Definition shown (v : vector) (cells : list cell) : list label :=
  map (fun lc => fst (at_level (fst lc) (snd lc))) (combine v cells).
Definition cost (v : vector) (cells : list cell) : Z :=
  fold_right Z.add 0 (map (fun lc => snd (at_level (fst lc) (snd lc))) (combine v cells)).

(** What is asked of every class beside a crowd. [value] reads a sensitive value off a row's other columns. [Shares]: no value
    x in more than [share x] / [whole] of the rows. [Distinct]: at least so many values. [Close]: the rows, each as often as
    the original has rows, and the original's, each as often as there are rows, can be paired so that pairs are on average
    [most] / [whole] apart at most: this is t-closeness by the earth mover's distance. *)
Inductive requirement :=
| Shares (value : Z -> Z) (share : Z -> N) (whole : Z)
| Distinct (value : Z -> Z) (least : Z)
| Close (value : Z -> Z) (apart : Z -> Z -> Z) (most whole : Z).
Definition times (n : nat) (l : list Z) : list Z := concat (repeat l n).
Definition meets (original class : list Z) (q : requirement) : Prop := match q with
  | Shares value share whole =>
      forall x, whole * Z.of_nat (count_occ Z.eq_dec (map value class) x) <= Z.of_N (share x) * Z.of_nat (length class)
  | Distinct value least => least <= Z.of_nat (length (nodup Z.eq_dec (map value class)))
  | Close value apart most whole => exists pairs,
      Permutation (map fst pairs) (times (length original) (map value class)) /\
      Permutation (map snd pairs) (times (length class) (map value original)) /\
      whole * fold_right Z.add 0 (map (fun xy => apart (fst xy) (snd xy)) pairs) <= most * Z.of_nat (length pairs)
  end.

(** The policy: which level vectors are allowed, how large a crowd is, whether rows of stars alone need none, and what else is
    asked of every class. *)
Record policy := Policy { mask : list vector; k : Z; suppress : bool; required : list requirement }.
Definition outlier (p : policy) (x : list label) : Prop := suppress p = true /\ forall l, In l x -> l = star.
Definition crowd (x : list label) (released : list record) : Z :=
  Z.of_nat (count_occ (list_eq_dec Z.eq_dec) (map fst released) x).
Definition class_of (x : list label) (released : list record) : list Z :=
  map snd (filter (fun r => if list_eq_dec Z.eq_dec (fst r) x then true else false) released).

(** [released] is a release of [original] under [p] and costs [total]: rows can be assigned one to one, and each a level vector
    of the mask, so that every released row shows its own row there and keeps its other columns; every row shown has its
    crowd; and every class meets what is required. *)
Definition is_release (p : policy) (original : list row) (released : list record) (total : Z) : Prop :=
  exists assigned : list (row * vector),
    Permutation original (map fst assigned) /\
    Permutation released (map (fun rv => (shown (snd rv) (fst (fst rv)), snd (fst rv))) assigned) /\
    (forall r v, In (r, v) assigned -> In v (mask p) /\ fits v (fst r)) /\
    (forall x, In x (map fst released) -> outlier p x \/ k p <= crowd x released) /\
    (forall x q, In x (map fst released) -> In q (required p) -> meets (map snd original) (class_of x released) q) /\
    total = fold_right Z.add 0 (map (fun rv => cost (snd rv) (fst (fst rv))) assigned).
