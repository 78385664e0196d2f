(** [V4, V8] Requirements: two classes that meet one meet it together, and what a multiplier says of every class that does. *)
From Coq Require Import ZArith List Bool Lia Permutation.
From Incrowd Require Import Statement Sums.
Import ListNotations.
Open Scope Z_scope.

Lemma times_app n c d : Permutation (times n (c ++ d)) (times n c ++ times n d).
Proof.
  unfold times. induction n as [|n IH]; simpl; [constructor|]. rewrite IH, <- !app_assoc. apply Permutation_app_head.
  rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.
Lemma times_more m n l : times (m + n) l = times m l ++ times n l.
Proof. unfold times. rewrite repeat_app, concat_app. reflexivity. Qed.
Lemma times_permutation n c d : Permutation c d -> Permutation (times n c) (times n d).
Proof. intros H. unfold times. induction n as [|n IH]; simpl; [constructor|]. apply Permutation_app; auto. Qed.
Lemma sum_times f n l : sum f (times n l) = Z.of_nat n * sum f l.
Proof.
  induction n as [|n IH]; [reflexivity|]. change (times (S n) l) with (l ++ times n l). rewrite sum_app, IH. lia.
Qed.
Lemma length_sum A (l : list A) : Z.of_nat (length l) = sum (fun _ => 1) l.
Proof. induction l; cbn [length sum]; lia. Qed.

Lemma meets_permutation table q c d : Permutation c d -> meets table c q -> meets table d q.
Proof.
  intros P. pose proof (Permutation_length P) as L. destruct q as [value share whole|value least|value apart most whole]; cbn [meets].
  - intros H x. specialize (H x). rewrite <- L. rewrite (proj1 (Permutation_count_occ Z.eq_dec _ _) (Permutation_map value P)) in H. exact H.
  - intros H. eapply Z.le_trans; [exact H|]. apply inj_le, NoDup_incl_length; [apply NoDup_nodup|].
    intros x Hx. apply nodup_In. apply nodup_In in Hx. apply (Permutation_in _ (Permutation_map value P) Hx).
  - intros [pairs [H1 [H2 H3]]]. exists pairs. rewrite <- L. split; [|auto].
    rewrite H1. apply times_permutation, Permutation_map, P.
Qed.

(** [V4] *)
Lemma V4_union table q c d : meets table c q -> meets table d q -> meets table (c ++ d) q.
Proof.
  destruct q as [value share whole|value least|value apart most whole]; cbn [meets].
  - intros H G x. specialize (H x). specialize (G x). rewrite map_app, count_occ_app, app_length. lia.
  - intros H _. eapply Z.le_trans; [exact H|]. apply inj_le, NoDup_incl_length; [apply NoDup_nodup|].
    intros x Hx. apply nodup_In. apply nodup_In in Hx. rewrite map_app. apply in_or_app. auto.
  - intros [p1 [H1 [H2 H3]]] [p2 [G1 [G2 G3]]]. exists (p1 ++ p2). rewrite !app_length. split; [|split].
    + rewrite !map_app, times_app. apply Permutation_app; auto.
    + rewrite map_app, times_more. apply Permutation_app; auto.
    + rewrite sum_fold in H3, G3. rewrite sum_fold, sum_app. lia.
Qed.

(** * Multipliers *)
(** What is taken from every row's gain, by its other columns: in every class that meets what is asked it sums to 0 at most. *)
Definition relieves (table : list Z) (asked : list requirement) (y : Z -> Z) : Prop :=
  forall class, incl class table -> (forall q, In q asked -> meets table class q) -> sum y class <= 0.

(** Numbers by value; of one that stands twice, both. *)
Definition number_at (numbers : list (Z * Z)) (x : Z) : Z := sum (fun n => if fst n =? x then snd n else 0) numbers.
Inductive multiplier :=
| OfShares (numbers : list (Z * Z))
| OfClose (each parts : Z) (numbers : list (Z * Z)).
(** A value's number and a constant beside it, for every row. *)
Record charge := Charge { reads : Z -> Z; numbers : list (Z * Z); constant : Z }.
Definition charge_at (c : charge) (o : Z) : Z := number_at (numbers c) (reads c o) + constant c.
Definition shares_constant (share : Z -> N) (whole : Z) (numbers : list (Z * Z)) : Z :=
  - sum (fun n => Z.of_N (share (fst n)) * snd n) numbers / whole.
Definition close_constant (value : Z -> Z) (most whole each parts : Z) (numbers : list (Z * Z)) (table : list Z) : Z :=
  let n := Z.of_nat (length table) in
  - (parts * whole * sum (fun o => number_at numbers (value o)) table + each * most * n) / (n * parts * whole).
Definition close_holds (value : Z -> Z) (apart : Z -> Z -> Z) (each parts : Z) (numbers : list (Z * Z)) (table : list Z) : bool :=
  let values := nodup Z.eq_dec (map value table) in
  forallb (fun x => forallb (fun z => parts * (number_at numbers x - number_at numbers z) <=? each * apart x z) values) values.
(** [V8] What a multiplier of a requirement takes from every row; nothing where it is not one. *)
Definition charge_of (table : list Z) (q : requirement) (given : multiplier) : option charge :=
  match q, given with
  | Shares value share whole, OfShares numbers =>
      if (0 <? whole) && forallb (fun n => 0 <=? snd n) numbers
      then Some (Charge value numbers (shares_constant share whole numbers)) else None
  | Close value apart most whole, OfClose each parts numbers =>
      if (0 <? whole) && (0 <? parts) && (0 <=? each) && close_holds value apart each parts numbers table
      then Some (Charge value numbers (close_constant value most whole each parts numbers table)) else None
  | _, _ => None
  end.

Lemma sum_numbers (value : Z -> Z) numbers class : sum (fun o => number_at numbers (value o)) class
  = sum (fun n => snd n * Z.of_nat (count_occ Z.eq_dec (map value class) (fst n))) numbers.
Proof.
  induction class as [|o class IH]; cbn [sum map].
  - symmetry. apply sum_zero. intros n _. cbn [count_occ]. lia.
  - rewrite IH. unfold number_at. rewrite <- sum_add. apply sum_eq. intros n _. cbn [count_occ].
    destruct (Z.eq_dec (value o) (fst n)) as [E|E]; destruct (Z.eqb_spec (fst n) (value o)); try congruence; lia.
Qed.
Lemma sum_const A c (f : A -> Z) l : sum (fun x => f x + c) l = sum f l + c * Z.of_nat (length l).
Proof. induction l; cbn [sum length]; lia. Qed.

Lemma V8_shares (value : Z -> Z) (share : Z -> N) whole numbers table class : 0 < whole -> (forall n, In n numbers -> 0 <= snd n) ->
  meets table class (Shares value share whole) -> sum (charge_at (Charge value numbers (shares_constant share whole numbers))) class <= 0.
Proof.
  intros W N H. unfold charge_at, shares_constant. cbn [Required.numbers reads constant]. rewrite sum_const, sum_numbers. set (s := sum (fun n => Z.of_N (share (fst n)) * snd n) numbers).
  set (size := Z.of_nat (length class)). cbn [meets] in H. fold size in H.
  assert (whole * sum (fun n => snd n * Z.of_nat (count_occ Z.eq_dec (map value class) (fst n))) numbers <= s * size) as A.
  { unfold s. rewrite <- sum_mul, Z.mul_comm, <- sum_mul. apply sum_le. intros n Hn. specialize (H (fst n)). specialize (N n Hn). nia. }
  pose proof (Z.mul_div_le (- s) whole W) as D. assert (0 <= size) by (unfold size; lia). nia.
Qed.
Lemma V8_close (value : Z -> Z) apart most whole each parts numbers table class : 0 < whole -> 0 < parts -> 0 <= each ->
  close_holds value apart each parts numbers table = true -> incl class table ->
  meets table class (Close value apart most whole) -> 
  sum (charge_at (Charge value numbers (close_constant value most whole each parts numbers table))) class <= 0.
Proof.
  intros W P E C I [pairs [H1 [H2 H3]]]. unfold charge_at, close_constant. cbn [Required.numbers reads constant]. cbv zeta. rewrite sum_const. rewrite sum_fold in H3.
  set (f := number_at numbers) in *. set (n := Z.of_nat (length table)). set (size := Z.of_nat (length class)) in *.
  assert (Z.of_nat (length pairs) = n * size) as L.
  { rewrite <- (map_length fst), length_sum, (sum_permutation _ _ _ _ H1), sum_times, <- length_sum, map_length. reflexivity. }
  rewrite L in H3.
  assert (sum (fun xy => parts * (f (fst xy) - f (snd xy))) pairs <= each * sum (fun xy => apart (fst xy) (snd xy)) pairs) as A.
  { rewrite <- sum_mul. apply sum_le. intros [x z] Hp. cbn [fst snd]. unfold close_holds in C. rewrite forallb_forall in C.
    assert (forall l y, In y (times l (map value table)) -> In y (map value table)) as T.
    { intros l y. unfold times. rewrite in_concat. intros [some [S Y]]. apply repeat_spec in S. subst. exact Y. }
    assert (In x (map value table)) as Hx.
    { apply (in_map fst) in Hp. apply (Permutation_in _ H1) in Hp. unfold times in Hp. rewrite in_concat in Hp.
      destruct Hp as [some [S Y]]. apply repeat_spec in S. subst some. apply in_map_iff in Y. destruct Y as [o [Y1 Y2]].
      apply in_map_iff. exists o. split; auto. }
    assert (In z (map value table)) as Hz by (apply (in_map snd) in Hp; apply (Permutation_in _ H2) in Hp; apply (T _ _ Hp)).
    specialize (C x (proj2 (nodup_In _ _ _) Hx)). rewrite forallb_forall in C. specialize (C z (proj2 (nodup_In _ _ _) Hz)).
    apply Z.leb_le in C. exact C. }
  assert (sum (fun xy => parts * (f (fst xy) - f (snd xy))) pairs
          = parts * (n * sum (fun o => f (value o)) class - size * sum (fun o => f (value o)) table)) as F.
  { rewrite sum_mul. f_equal.
    assert (sum (fun xy => f (fst xy) - f (snd xy)) pairs = sum f (map fst pairs) - sum f (map snd pairs)) as ->
      by (rewrite !sum_map; clear; induction pairs; cbn [sum]; lia).
    rewrite (sum_permutation _ _ _ _ H1), (sum_permutation _ _ _ _ H2), !sum_times, !sum_map. reflexivity. }
  rewrite F in A.
  set (a := sum (fun o => f (value o)) class) in *. set (b := sum (fun o => f (value o)) table) in *.
  set (d := sum _ pairs) in *. set (x := parts * whole * b + each * most * n) in *.
  assert (0 <= size) by (unfold size; lia).
  destruct (Z.eq_dec n 0) as [Z0|N0].
  { assert (class = []) as ->; [|cbn in *; unfold size in *; cbn in *; subst a; cbn; lia].
    destruct class as [|o class]; auto. specialize (I o (or_introl eq_refl)). unfold n in Z0. destruct table; [destruct I|cbn in Z0; lia]. }
  assert (0 < n) by (unfold n in *; lia). assert (0 < n * parts * whole) as Q by nia.
  pose proof (Z.mul_div_le (- x) (n * parts * whole) Q) as D.
  assert (n * parts * whole * a <= size * x) as B.
  { assert (parts * whole * (n * a - size * b) <= each * (most * (n * size))) by nia. unfold x. nia. }
  enough (n * parts * whole * (a + - x / (n * parts * whole) * size) <= 0) by nia. nia.
Qed.
Theorem V8_relieves table asked q given c : In q asked -> charge_of table q given = Some c -> relieves table asked (charge_at c).
Proof.
  intros Hq H class I M. specialize (M q Hq). unfold charge_of in H.
  destruct q as [value share whole|value least|value apart most whole], given as [numbers|each parts numbers]; try discriminate.
  - destruct (_ && _) eqn:C; [|discriminate]. injection H as <-. apply andb_prop in C. destruct C as [C1 C2]. apply Z.ltb_lt in C1.
    rewrite forallb_forall in C2. apply (V8_shares value share whole numbers table); auto. intros n Hn. apply Z.leb_le, C2, Hn.
  - destruct (_ && _) eqn:C; [|discriminate]. injection H as <-. rewrite !andb_true_iff in C. destruct C as [[[C1 C2] C3] C4].
    apply Z.ltb_lt in C1, C2. apply Z.leb_le in C3. apply (V8_close value apart most whole each parts numbers table); auto.
Qed.
Lemma relieves_all table asked charges : (forall c, In c charges -> relieves table asked (charge_at c)) ->
  relieves table asked (fun o => sum (fun c => charge_at c o) charges).
Proof.
  intros H class I M. induction charges as [|c charges IH]; cbn [sum]; [rewrite sum_zero; auto; lia|]. rewrite sum_add.
  pose proof (H c (or_introl eq_refl) class I M). specialize (IH (fun z Hz => H z (or_intror Hz))). lia.
Qed.
