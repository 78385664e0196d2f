(** [V4, V8] Requirements: two classes that meet one meet it together, and what a multiplier says of every class that does. *)
From Coq Require Import ZArith List Bool Lia Permutation.
From Incrowd Require Import Statement Sums Entropy Logarithms.
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

Lemma meets_entropy table c value l whole : meets table c (Entropy value l whole) <-> spread (Z.of_N l) (Z.of_N whole) (map value c).
Proof. cbn [meets]. cbv zeta. unfold spread, size. rewrite product_fold, map_length. tauto. Qed.
Lemma meets_permutation table q c d : Permutation c d -> meets table c q -> meets table d q.
Proof.
  intros P. pose proof (Permutation_length P) as L.
  assert (forall value x, often x (map value c) = often x (map value d)) as O.
  { intros value x. unfold often. rewrite (proj1 (Permutation_count_occ Z.eq_dec _ _) (Permutation_map value P)). reflexivity. }
  destruct q as [value share whole|value least|value l whole|value l top whole|values l|value apart most whole]; cbn [meets].
  - intros H x. rewrite <- L, <- O. apply H.
  - intros H. eapply Z.le_trans; [exact H|]. apply inj_le, NoDup_incl_length; [apply NoDup_nodup|].
    intros x Hx. apply nodup_In. apply nodup_In in Hx. apply (Permutation_in _ (Permutation_map value P) Hx).
  - fold (meets table c (Entropy value l whole)) (meets table d (Entropy value l whole)). rewrite !meets_entropy.
    apply spread_permutation, Permutation_map, P.
  - intros H x t D T. specialize (H x t D T). rewrite <- L, <- O, sum_fold. rewrite sum_fold in H.
    rewrite <- (sum_eq _ (fun y => often y (map value c))); [exact H|]. intros y _. apply O.
  - intros H o Ho. destruct (H o (Permutation_in _ (Permutation_sym P) Ho)) as [rows [H1 [H2 H3]]]. exists rows. split; auto. split; auto.
    intros x Hx. apply (Permutation_in _ P), H2, Hx.
  - intros [pairs [H1 [H2 H3]]]. exists pairs. rewrite <- L. split; [|auto].
    rewrite H1. apply times_permutation, Permutation_map, P.
Qed.

(** [V4] *)
Lemma V4_union table q c d : meets table c q -> meets table d q -> meets table (c ++ d) q.
Proof.
  destruct q as [value share whole|value least|value l whole|value l top whole|values l|value apart most whole]; cbn [meets].
  - intros H G x. specialize (H x). specialize (G x). rewrite map_app, often_app, app_length. lia.
  - intros H _. eapply Z.le_trans; [exact H|]. apply inj_le, NoDup_incl_length; [apply NoDup_nodup|].
    intros x Hx. apply nodup_In. apply nodup_In in Hx. rewrite map_app. apply in_or_app. auto.
  - fold (meets table c (Entropy value l whole)) (meets table d (Entropy value l whole)) (meets table (c ++ d) (Entropy value l whole)).
    rewrite !meets_entropy, map_app. apply spread_union; apply N2Z.is_nonneg.
  - intros H G x t D T. specialize (H x t D T). specialize (G x t D T). rewrite sum_fold in *. rewrite map_app, often_app, app_length.
    rewrite (sum_eq _ _ (fun y => often y (map value c) + often y (map value d))) by (intros y _; apply often_app). rewrite sum_add. lia.
  - intros H G o Ho. apply in_app_or in Ho. destruct Ho as [Ho|Ho]; [destruct (H o Ho) as [rows [H1 [H2 H3]]]|destruct (G o Ho) as [rows [H1 [H2 H3]]]];
      exists rows; (split; [exact H1|split; [|exact H3]]); intros x Hx; apply in_or_app; auto.
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
| OfClose (each parts : Z) (numbers : list (Z * Z))
| OfEntropy (each parts base : Z) (weights logs : list (Z * Z))
| OfRecursive (terms : list (Z * Z * list Z)).
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
Definition entropy_holds (base l whole s : Z) (weights logs : list (Z * Z)) (values : list Z) : bool :=
  forallb (fun x => (0 <=? number_at weights x) && log_holds base (number_at logs x) (l * number_at weights x) (whole * s)) values.
(** What a term takes from a row of a value, times [whole]. *)
Definition recursive_term (c whole x : Z) (t : Z * Z * list Z) : Z :=
  fst (fst t) * ((if snd (fst t) =? x then whole else 0) + (if existsb (Z.eqb x) (snd t) then c else 0) - c).
Definition by_value (values : list Z) (f : Z -> Z) : list (Z * Z) := map (fun x => (x, f x)) values.
(** [V8] What a multiplier of a requirement takes from every row; nothing where it is not one. *)
Definition charge_of (table : list Z) (q : requirement) (given : multiplier) : option charge :=
  match q, given with
  | Shares value share whole, OfShares numbers =>
      if (0 <? whole) && forallb (fun n => 0 <=? snd n) numbers
      then Some (Charge value numbers (shares_constant share whole numbers)) else None
  | Close value apart most whole, OfClose each parts numbers =>
      if (0 <? whole) && (0 <? parts) && (0 <=? each) && close_holds value apart each parts numbers table
      then Some (Charge value numbers (close_constant value most whole each parts numbers table)) else None
  | Entropy value l whole, OfEntropy each parts base weights logs =>
      let values := nodup Z.eq_dec (map value table) in let s := sum (number_at weights) values in
      if (0 <=? each) && (0 <? parts) && (fine <? base) && (0 <? Z.of_N whole * s)
         && entropy_holds base (Z.of_N l) (Z.of_N whole) s weights logs values
      then Some (Charge value (by_value values (fun x => each * number_at logs x / parts)) 0) else None
  | Recursive value l c whole, OfRecursive terms =>
      let values := nodup Z.eq_dec (map value table) in
      let distinct := map (fun t => (fst t, nodup Z.eq_dec (snd t))) terms in
      if (0 <? whole) && forallb (fun t => (0 <=? fst (fst t)) && Nat.ltb (length (snd t)) l) distinct
      then Some (Charge value (by_value values (fun x => sum (recursive_term c whole x) distinct / whole)) 0) else None
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
  set (size := Z.of_nat (length class)). cbn [meets] in H. unfold often in H. fold size in H.
  assert (whole * sum (fun n => snd n * Z.of_nat (count_occ Z.eq_dec (map value class) (fst n))) numbers <= s * size) as A.
  { unfold s. rewrite <- sum_mul, Z.mul_comm, <- sum_mul. apply sum_le. intros n Hn. specialize (H (fst n)). specialize (N n Hn). nia. }
  pose proof (Z.mul_div_le (- s) whole W) as D. assert (0 <= size) by (unfold size; lia). nia.
Qed.
(** Numbers by value. *)
Lemma by_value_at (value : Z -> Z) table f o : In o table ->
  charge_at (Charge value (by_value (nodup Z.eq_dec (map value table)) f) 0) o = f (value o).
Proof.
  intros Ho. unfold charge_at, number_at, by_value. cbn [reads numbers constant]. rewrite sum_map, Z.add_0_r. cbn [fst snd].
  rewrite <- (sum_one (value o) f (nodup Z.eq_dec (map value table))).
  - apply sum_eq. intros x _. rewrite Z.eqb_sym. reflexivity.
  - apply NoDup_nodup.
  - apply nodup_In, in_map, Ho.
Qed.
Lemma sum_by_value (value : Z -> Z) table f class : incl class table ->
  sum (charge_at (Charge value (by_value (nodup Z.eq_dec (map value table)) f) 0)) class = sum f (map value class).
Proof. intros I. rewrite sum_map. apply sum_eq. intros o Ho. apply by_value_at, I, Ho. Qed.
Lemma sum_incl (f : Z -> Z) d e : (forall x, In x e -> 0 <= f x) -> NoDup d -> incl d e -> sum f d <= sum f e.
Proof.
  revert e. induction d as [|x d IH]; intros e F D I; cbn [sum]; [apply sum_nonneg; exact F|].
  destruct (in_split x e (I x (or_introl eq_refl))) as [e1 [e2 ->]]. inversion D as [|? ? Nx D']; subst.
  assert (incl d (e1 ++ e2)) as I'.
  { intros z Hz. specialize (I z (or_intror Hz)). apply in_app_or in I. apply in_or_app. destruct I as [I|[->|I]]; auto. contradiction. }
  specialize (IH (e1 ++ e2)). rewrite sum_app in IH. rewrite sum_app. cbn [sum]. enough (sum f d <= sum f e1 + sum f e2) by lia.
  apply IH; auto. intros y Hy. apply F. apply in_app_or in Hy. apply in_or_app. cbn. tauto.
Qed.
Lemma V8_entropy (value : Z -> Z) l whole each parts base weights logs table class : 0 <= each -> 0 < parts -> fine < base ->
  let values := nodup Z.eq_dec (map value table) in let s := sum (number_at weights) values in
  0 < Z.of_N whole * s -> entropy_holds base (Z.of_N l) (Z.of_N whole) s weights logs values = true ->
  incl class table -> meets table class (Entropy value l whole) ->
  sum (charge_at (Charge value (by_value values (fun x => each * number_at logs x / parts)) 0)) class <= 0.
Proof.
  intros E P B values s S H I M. rewrite meets_entropy in M. unfold values. rewrite sum_by_value by exact I.
  unfold entropy_holds in H. rewrite forallb_forall in H. set (xs := map value class) in *.
  assert (forall x, In x values -> 0 <= number_at weights x) as W.
  { intros x Hx. specialize (H x Hx). apply andb_prop in H. destruct H as [H _]. apply Z.leb_le. exact H. }
  assert (incl xs values) as IV.
  { intros x Hx. apply nodup_In. apply in_map_iff in Hx. destruct Hx as [o [<- Ho]]. apply in_map, I, Ho. }
  assert (0 <= s) as S0 by (apply sum_nonneg; exact W).
  assert (sum (number_at logs) xs <= 0) as L.
  { apply (logs_nonpos _ base (number_at logs) (fun x => Z.of_N l * number_at weights x) (Z.of_N whole * s) xs B S).
    - intros x Hx. specialize (H x (IV x Hx)). apply andb_prop in H. destruct H as [H1 H2]. split; auto. apply Z.mul_nonneg_nonneg; [lia|].
      apply W, IV, Hx.
    - rewrite product_mul, product_same. apply (spread_weighed _ _ (number_at weights) xs s); auto; try lia.
      apply sum_incl; auto; try apply NoDup_nodup. intros x Hx. apply IV. apply nodup_In in Hx. exact Hx. }
  assert (parts * sum (fun x => each * number_at logs x / parts) xs <= each * sum (number_at logs) xs) as D.
  { rewrite <- !sum_mul. apply sum_le. intros x _. apply Z.mul_div_le. exact P. }
  nia.
Qed.
Lemma sum_existsb t xs : NoDup t -> sum (fun x => if existsb (Z.eqb x) t then 1 else 0) xs = sum (fun y => often y xs) t.
Proof.
  intros D. induction xs as [|x xs IH]; cbn [sum]; [symmetry; apply sum_zero; reflexivity|]. rewrite IH.
  rewrite (sum_eq _ (fun y => often y (x :: xs)) (fun y => (if x =? y then 1 else 0) + often y xs)) by (intros y _; apply often_cons).
  rewrite sum_add. f_equal. destruct (existsb (Z.eqb x) t) eqn:E.
  - apply existsb_exists in E. destruct E as [y [Hy E]]. apply Z.eqb_eq in E. subst y. symmetry. apply (sum_one x (fun _ => 1) t D Hy).
  - symmetry. apply sum_zero. intros y Hy. destruct (Z.eqb_spec x y) as [->|N]; auto. exfalso.
    assert (existsb (Z.eqb y) t = true) by (apply existsb_exists; exists y; split; auto; apply Z.eqb_refl). congruence.
Qed.
Lemma V8_recursive (value : Z -> Z) l c whole (terms : list (Z * Z * list Z)) table class : 0 < whole ->
  (forall t, In t terms -> 0 <= fst (fst t) /\ NoDup (snd t) /\ (length (snd t) < l)%nat) -> incl class table ->
  meets table class (Recursive value l c whole) ->
  sum (charge_at (Charge value (by_value (nodup Z.eq_dec (map value table)) (fun x => sum (recursive_term c whole x) terms / whole)) 0)) class <= 0.
Proof.
  intros W T I M. rewrite sum_by_value by exact I. set (xs := map value class).
  assert (sum (fun x => sum (recursive_term c whole x) terms) xs <= 0) as L.
  { clear W. induction terms as [|t terms IH]; cbn [sum]; [rewrite sum_zero; auto; lia|]. rewrite sum_add.
    assert (sum (fun x => sum (recursive_term c whole x) terms) xs <= 0) as R by (apply IH; intros u Hu; apply T; right; exact Hu).
    enough (sum (fun x => recursive_term c whole x t) xs <= 0) by lia. destruct (T t (or_introl eq_refl)) as [T1 [T2 T3]].
    specialize (M (snd (fst t)) (snd t) T2 T3). fold xs in M. rewrite sum_fold in M. unfold recursive_term. rewrite sum_mul.
    assert (sum (fun x => (if snd (fst t) =? x then whole else 0) + (if existsb (Z.eqb x) (snd t) then c else 0) - c) xs
            = whole * often (snd (fst t)) xs + c * sum (fun y => often y xs) (snd t) - c * Z.of_nat (length class)) as ->.
    { rewrite <- (sum_existsb _ xs T2). rewrite <- (map_length value class). fold xs. clear. unfold often.
      induction xs as [|x xs IH]; cbn [sum length count_occ]; [lia|]. rewrite IH.
      destruct (Z.eq_dec x (snd (fst t))) as [E|E]; destruct (Z.eqb_spec (snd (fst t)) x); try congruence; destruct (existsb _ _); lia. }
    nia. }
  assert (whole * sum (fun x => sum (recursive_term c whole x) terms / whole) xs <= sum (fun x => sum (recursive_term c whole x) terms) xs) as D.
  { rewrite <- sum_mul. apply sum_le. intros x _. apply Z.mul_div_le. exact W. }
  nia.
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
  destruct q as [value share whole|value least|value l whole|value l top whole|values l|value apart most whole],
    given as [numbers|each parts numbers|each parts base weights logs|terms]; try discriminate; cbv zeta in H.
  - destruct (_ && _) eqn:C; [|discriminate]. injection H as <-. apply andb_prop in C. destruct C as [C1 C2]. apply Z.ltb_lt in C1.
    rewrite forallb_forall in C2. apply (V8_shares value share whole numbers table); auto. intros n Hn. apply Z.leb_le, C2, Hn.
  - destruct (_ && _) eqn:C; [|discriminate]. injection H as <-. rewrite !andb_true_iff in C. destruct C as [[[[C1 C2] C3] C4] C5].
    apply Z.leb_le in C1. apply Z.ltb_lt in C2, C3, C4. apply (V8_entropy value l whole each parts base weights logs table class); auto.
  - destruct (_ && _) eqn:C; [|discriminate]. injection H as <-. apply andb_prop in C. destruct C as [C1 C2]. apply Z.ltb_lt in C1.
    rewrite forallb_forall in C2. apply (V8_recursive value l top whole _ table class); auto. intros t Ht. specialize (C2 t Ht).
    apply andb_prop in C2. destruct C2 as [C2 C3]. split; [apply Z.leb_le; exact C2|]. split; [|apply Nat.ltb_lt; exact C3].
    apply in_map_iff in Ht. destruct Ht as [u [<- _]]. apply NoDup_nodup.
  - destruct (_ && _) eqn:C; [|discriminate]. injection H as <-. rewrite !andb_true_iff in C. destruct C as [[[C1 C2] C3] C4].
    apply Z.ltb_lt in C1, C2. apply Z.leb_le in C3. apply (V8_close value apart most whole each parts numbers table); auto.
Qed.
Lemma relieves_all table asked charges : (forall c, In c charges -> relieves table asked (charge_at c)) ->
  relieves table asked (fun o => sum (fun c => charge_at c o) charges).
Proof.
  intros H class I M. induction charges as [|c charges IH]; cbn [sum]; [rewrite sum_zero; auto; lia|]. rewrite sum_add.
  pose proof (H c (or_introl eq_refl) class I M). specialize (IH (fun z Hz => H z (or_intror Hz))). lia.
Qed.
