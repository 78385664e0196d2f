(** [V5, V8] Logarithms as whole numbers: what a certificate says of them is checked by powers. *)
From Coq Require Import ZArith List Bool Lia.
From Incrowd Require Import Statement Sums Entropy.
Import ListNotations.
Open Scope Z_scope.

(** Logarithms to a base a little above 1, [base] / [fine]: whole numbers z with base^z d <= fine^z n stand for that of n / d.
    Powers are rounded up, or down, to whole numbers of 1 / [fine]. *)
Definition fine : Z := Z.shiftl 1 96.
Definition times_up (x y : Z) : Z := - (- (x * y) / fine).
Definition times_down (x y : Z) : Z := x * y / fine.
Fixpoint power (by_ : Z -> Z -> Z) (base : Z) (q : positive) : Z :=
  match q with
  | xH => base
  | xO q' => let half := power by_ base q' in by_ half half
  | xI q' => let half := power by_ base q' in by_ base (by_ half half)
  end.
Definition log_holds (base z n d : Z) : bool :=
  match z with
  | Z0 => d <=? n
  | Zpos q => power times_up base q * d <=? n * fine
  | Zneg q => fine * d <=? power times_down base q * n
  end.

Lemma fine_positive : 0 < fine.
Proof. reflexivity. Qed.
Lemma times_up_more x y : x * y <= times_up x y * fine.
Proof. unfold times_up. pose proof (Z.mul_div_le (- (x * y)) fine fine_positive). lia. Qed.
Lemma times_down_less x y : times_down x y * fine <= x * y.
Proof. unfold times_down. pose proof (Z.mul_div_le (x * y) fine fine_positive). lia. Qed.
Lemma up_step a x f b y g : 0 <= a -> 0 <= b -> 0 < f -> 0 < g -> fine * a <= x * f -> fine * b <= y * g ->
  fine * (a * b) <= times_up x y * (f * g).
Proof.
  intros A B F G H K. pose proof (times_up_more x y) as T. pose proof fine_positive as P. apply (Z.mul_le_mono_pos_l _ _ fine P).
  assert (0 <= fine * a) by (apply Z.mul_nonneg_nonneg; lia). assert (0 <= fine * b) by (apply Z.mul_nonneg_nonneg; lia).
  pose proof (Z.mul_le_mono_nonneg _ _ _ _ H0 H H1 K) as M. assert (0 <= f * g) as N by (apply Z.mul_nonneg_nonneg; lia).
  pose proof (Z.mul_le_mono_nonneg_r _ _ _ N T). lia.
Qed.
Lemma down_step a x f b y g : 0 <= x -> 0 <= y -> 0 < f -> 0 < g -> x * f <= fine * a -> y * g <= fine * b ->
  times_down x y * (f * g) <= fine * (a * b).
Proof.
  intros A B F G H K. pose proof (times_down_less x y) as T. pose proof fine_positive as P. apply (Z.mul_le_mono_pos_l _ _ fine P).
  assert (0 <= x * f) by (apply Z.mul_nonneg_nonneg; lia). assert (0 <= y * g) by (apply Z.mul_nonneg_nonneg; lia).
  pose proof (Z.mul_le_mono_nonneg _ _ _ _ H0 H H1 K) as M. assert (0 <= f * g) as N by (apply Z.mul_nonneg_nonneg; lia).
  pose proof (Z.mul_le_mono_nonneg_r _ _ _ N T). lia.
Qed.
Lemma pow_xO x q : x ^ Zpos (xO q) = x ^ Zpos q * x ^ Zpos q.
Proof. rewrite <- Z.pow_add_r by lia. f_equal. lia. Qed.
Lemma pow_xI x q : x ^ Zpos (xI q) = x * (x ^ Zpos q * x ^ Zpos q).
Proof. rewrite <- Z.pow_add_r by lia. rewrite <- Z.pow_succ_r by lia. f_equal. lia. Qed.
Lemma pow_positive x q : 0 < x -> 0 < x ^ Zpos q.
Proof. intros. apply Z.pow_pos_nonneg; lia. Qed.
Lemma power_up base q : 0 < base -> fine * base ^ Zpos q <= power times_up base q * fine ^ Zpos q.
Proof.
  intros B. pose proof fine_positive as P. pose proof (pow_positive base) as PB. pose proof (pow_positive fine) as PF.
  induction q as [q IH|q IH|]; cbn [power]; cbv zeta.
  - rewrite !pow_xI. specialize (PB q B). specialize (PF q P). apply up_step; try lia; try (apply Z.mul_nonneg_nonneg; lia); try (apply Z.mul_pos_pos; lia).
    apply up_step; lia.
  - rewrite !pow_xO. specialize (PB q B). specialize (PF q P). apply up_step; lia.
  - rewrite !Z.pow_1_r. lia.
Qed.
Lemma power_nonneg base q : 0 < base -> 0 <= power times_down base q.
Proof.
  intros B. pose proof fine_positive as P.
  assert (forall x y, 0 <= x -> 0 <= y -> 0 <= times_down x y) as T.
  { intros x y X Y. unfold times_down. apply Z.div_pos; [apply Z.mul_nonneg_nonneg; lia|exact P]. }
  induction q as [q IH|q IH|]; cbn [power]; cbv zeta; try lia; repeat apply T; lia.
Qed.
Lemma power_down base q : 0 < base -> power times_down base q * fine ^ Zpos q <= fine * base ^ Zpos q.
Proof.
  intros B. pose proof fine_positive as P. pose proof (pow_positive fine) as PF. pose proof (power_nonneg base) as N.
  induction q as [q IH|q IH|]; cbn [power]; cbv zeta.
  - rewrite !pow_xI. specialize (PF q P). specialize (N q B).
    assert (0 <= times_down (power times_down base q) (power times_down base q)) by (exact (power_nonneg base (xO q) B)).
    apply down_step; try lia; try (apply Z.mul_pos_pos; lia). apply down_step; lia.
  - rewrite !pow_xO. specialize (PF q P). specialize (N q B). apply down_step; lia.
  - rewrite !Z.pow_1_r. lia.
Qed.

Definition above (z : Z) : Z := Z.max 0 z.
Lemma log_sound base z n d : 0 < base -> 0 <= n -> 0 <= d -> log_holds base z n d = true ->
  base ^ above z * fine ^ above (- z) * d <= fine ^ above z * base ^ above (- z) * n.
Proof.
  intros B N D H. pose proof fine_positive as P. unfold above. destruct z as [|q|q]; cbn [log_holds] in H; apply Z.leb_le in H.
  - change (- 0) with 0. change (Z.max 0 0) with 0. rewrite !Z.pow_0_r. lia.
  - rewrite (Z.max_r 0 (Zpos q)), (Z.max_l 0 (- Zpos q)), !Z.pow_0_r by lia.
    pose proof (power_up base q B) as U. pose proof (pow_positive fine q P) as PF. apply (Z.mul_le_mono_pos_l _ _ fine P).
    pose proof (Z.mul_le_mono_nonneg_r _ _ d D U). pose proof (Z.mul_le_mono_nonneg_r _ _ (fine ^ Zpos q) (Z.lt_le_incl _ _ PF) H). lia.
  - change (- Zneg q) with (Zpos q). rewrite (Z.max_l 0 (Zneg q)), (Z.max_r 0 (Zpos q)), !Z.pow_0_r by lia.
    pose proof (power_down base q B) as U. pose proof (pow_positive fine q P) as PF. apply (Z.mul_le_mono_pos_l _ _ fine P).
    pose proof (Z.mul_le_mono_nonneg_r _ _ n N U). pose proof (Z.mul_le_mono_nonneg_r _ _ (fine ^ Zpos q) (Z.lt_le_incl _ _ PF) H). lia.
Qed.
Lemma product_power A b (f : A -> Z) l : (forall a, In a l -> 0 <= f a) -> product (fun a => b ^ f a) l = b ^ sum f l.
Proof.
  induction l as [|a l IH]; intros H; [reflexivity|]. cbn [product sum].
  assert (forall c, In c l -> 0 <= f c) as H' by (intros c Hc; apply H; right; exact Hc).
  rewrite IH by exact H'. rewrite Z.pow_add_r; auto; [apply H; left; auto|apply sum_nonneg, H'].
Qed.
(** [V8] Where the rows' weights come to no more than the whole, so do their logarithms. *)
Lemma logs_nonpos A base (z n : A -> Z) d xs : fine < base -> 0 < d ->
  (forall x, In x xs -> 0 <= n x /\ log_holds base (z x) (n x) d = true) -> product n xs <= d ^ size xs -> sum z xs <= 0.
Proof.
  intros B D H L. pose proof fine_positive as P.
  set (up := fun x => above (z x)). set (down := fun x => above (- z x)).
  assert (sum z xs = sum up xs - sum down xs) as ->.
  { unfold up, down, above. clear. induction xs; cbn [sum]; lia. }
  assert (0 <= sum up xs) as U by (apply sum_nonneg; intros; unfold up, above; lia).
  assert (0 <= sum down xs) as W by (apply sum_nonneg; intros; unfold down, above; lia).
  assert (product (fun x => base ^ up x * fine ^ down x * d) xs <= product (fun x => fine ^ up x * base ^ down x * n x) xs) as M.
  { apply product_le. intros x Hx. destruct (H x Hx) as [N K]. split.
    - repeat apply Z.mul_nonneg_nonneg; try apply Z.pow_nonneg; lia.
    - apply log_sound; auto; lia. }
  rewrite !product_mul, product_same in M. rewrite !product_power in M by (intros; unfold up, down, above; lia).
  set (u := sum up xs) in *. set (w := sum down xs) in *.
  assert (0 < d ^ size xs) as DP by (apply Z.pow_pos_nonneg; [exact D|apply size_nonneg]).
  assert (0 < fine ^ u * base ^ w) as Q by (apply Z.mul_pos_pos; apply Z.pow_pos_nonneg; lia).
  pose proof (Z.mul_le_mono_nonneg_l _ _ _ (Z.lt_le_incl _ _ Q) L) as R.
  assert (base ^ u * fine ^ w <= fine ^ u * base ^ w) as C by (apply (Z.mul_le_mono_pos_r _ _ _ DP); lia).
  destruct (Z.le_gt_cases u w) as [E|E]; [lia|exfalso].
  replace u with ((u - w) + w) in C by lia. rewrite !Z.pow_add_r in C by lia.
  assert (fine ^ (u - w) < base ^ (u - w)) as S by (apply Z.pow_lt_mono_l; lia).
  assert (0 < fine ^ w * base ^ w) as T by (apply Z.mul_pos_pos; apply Z.pow_pos_nonneg; lia).
  apply (Z.mul_lt_mono_pos_r _ _ _ T) in S. lia.
Qed.
