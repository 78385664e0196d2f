(** [V4, V8] Entropy in whole numbers: of a class of n rows, c_v of value v, it is at least ln (l / d) where
    l^n prod c_v^c_v <= (d n)^n. No logarithm is taken: means of products and of sums are all that is used. *)
From Coq Require Import ZArith List Bool Lia Permutation.
From Incrowd Require Import Statement Sums.
Import ListNotations.
Open Scope Z_scope.

Fixpoint product {A} (f : A -> Z) (l : list A) : Z := match l with [] => 1 | a :: l' => f a * product f l' end.
Definition size {A} (l : list A) : Z := Z.of_nat (length l).

Lemma product_fold A (f : A -> Z) l : fold_right Z.mul 1 (map f l) = product f l.
Proof. induction l; cbn [map fold_right product]; congruence. Qed.
Lemma product_app A (f : A -> Z) l l' : product f (l ++ l') = product f l * product f l'.
Proof. induction l; cbn [app product]; [lia|]. rewrite IHl. ring. Qed.
Lemma product_mul A (f g : A -> Z) l : product (fun a => f a * g a) l = product f l * product g l.
Proof. induction l; cbn [product]; [lia|]. rewrite IHl. ring. Qed.
Lemma product_permutation A (f : A -> Z) l l' : Permutation l l' -> product f l = product f l'.
Proof. induction 1; cbn [product]; try congruence; ring. Qed.
Lemma product_eq A (f g : A -> Z) l : (forall a, In a l -> f a = g a) -> product f l = product g l.
Proof. induction l as [|a l IH]; cbn [product]; intros H; auto. rewrite H, IH; auto; [intros; apply H; right; auto|left; auto]. Qed.
Lemma product_nonneg A (f : A -> Z) l : (forall a, In a l -> 0 <= f a) -> 0 <= product f l.
Proof.
  induction l as [|a l IH]; cbn [product]; intros H; [lia|]. apply Z.mul_nonneg_nonneg; [apply H; left; auto|].
  apply IH. intros b Hb. apply H. right. exact Hb.
Qed.
Lemma product_positive A (f : A -> Z) l : (forall a, In a l -> 0 < f a) -> 0 < product f l.
Proof.
  induction l as [|a l IH]; cbn [product]; intros H; [lia|]. apply Z.mul_pos_pos; [apply H; left; auto|].
  apply IH. intros b Hb. apply H. right. exact Hb.
Qed.
Lemma product_le A (f g : A -> Z) l : (forall a, In a l -> 0 <= f a <= g a) -> product f l <= product g l.
Proof.
  induction l as [|a l IH]; cbn [product]; intros H; [lia|]. pose proof (H a (or_introl eq_refl)).
  assert (forall b, In b l -> 0 <= f b <= g b) as H' by (intros b Hb; apply H; right; exact Hb).
  apply Z.mul_le_mono_nonneg; try lia; auto. apply product_nonneg. intros b Hb. apply H' in Hb. lia.
Qed.
Lemma size_cons A (a : A) l : size (a :: l) = Z.succ (size l).
Proof. unfold size. cbn [length]. lia. Qed.
Lemma size_nonneg A (l : list A) : 0 <= size l.
Proof. unfold size. lia. Qed.
Lemma size_app A (l l' : list A) : size (l ++ l') = size l + size l'.
Proof. unfold size. rewrite app_length. lia. Qed.
Lemma product_same A c (l : list A) : product (fun _ => c) l = c ^ size l.
Proof. induction l; [reflexivity|]. cbn [product]. rewrite IHl, size_cons, Z.pow_succ_r by apply size_nonneg. reflexivity. Qed.
Lemma product_divides A (f : A -> Z) l a : In a l -> (f a | product f l).
Proof.
  induction l as [|b l IH]; cbn [product]; intros H; [destruct H|]. destruct H as [->|H]; [apply Z.divide_factor_l|].
  apply Z.divide_mul_r. auto.
Qed.

(** * The mean of products is at most that of sums *)
Lemma bernoulli a b n : 0 <= n -> 0 <= a -> 0 <= b -> b ^ n * ((n + 1) * a - n * b) <= a ^ Z.succ n.
Proof.
  intros Hn Ha Hb. revert n Hn. apply natlike_ind.
  - change (Z.succ 0) with 1. rewrite Z.pow_0_r, Z.pow_1_r. lia.
  - intros n Hn IH. rewrite (Z.pow_succ_r a) by lia. rewrite (Z.pow_succ_r b) by lia. set (y := b ^ n) in *.
    assert (0 <= y) by (apply Z.pow_nonneg; exact Hb).
    assert (a * (y * ((n + 1) * a - n * b)) <= a * a ^ Z.succ n) by (apply Z.mul_le_mono_nonneg_l; auto).
    assert (0 <= y * ((n + 1) * ((a - b) * (a - b)))) as S.
    { apply Z.mul_nonneg_nonneg; auto. apply Z.mul_nonneg_nonneg; [lia|apply Z.square_nonneg]. }
    assert (a * (y * ((n + 1) * a - n * b)) - b * y * ((Z.succ n + 1) * a - Z.succ n * b) = y * ((n + 1) * ((a - b) * (a - b)))) by
      (unfold Z.succ; ring). lia.
Qed.
Lemma one_more s x n : 0 <= n -> 0 <= s -> 0 <= x -> s ^ n * (Z.succ n ^ Z.succ n * x) <= n ^ n * (s + x) ^ Z.succ n.
Proof.
  intros Hn Hs Hx. destruct (Z.eq_dec n 0) as [->|N0].
  { change (Z.succ 0) with 1. rewrite !Z.pow_0_r, !Z.pow_1_r. lia. }
  pose proof (bernoulli (n * (s + x)) (s * Z.succ n) n Hn) as B.
  replace ((n + 1) * (n * (s + x)) - n * (s * Z.succ n)) with (n * (Z.succ n * x)) in B by (unfold Z.succ; ring).
  rewrite !Z.pow_mul_l in B. rewrite (Z.pow_succ_r n n) in B by lia. rewrite (Z.pow_succ_r (Z.succ n) n) by lia.
  apply (Z.mul_le_mono_pos_l _ _ n); [lia|].
  assert (0 <= n * (s + x)) by (apply Z.mul_nonneg_nonneg; lia). assert (0 <= s * Z.succ n) by (apply Z.mul_nonneg_nonneg; lia).
  specialize (B H H0). lia.
Qed.
Lemma means A (f : A -> Z) l : (forall a, In a l -> 0 <= f a) -> size l ^ size l * product f l <= sum f l ^ size l.
Proof.
  induction l as [|a l IH]; intros H; [cbn; lia|]. rewrite size_cons. cbn [product sum].
  assert (forall b, In b l -> 0 <= f b) as H' by (intros b Hb; apply H; right; exact Hb). specialize (IH H').
  pose proof (H a (or_introl eq_refl)) as Ha. pose proof (size_nonneg A l) as N. pose proof (sum_nonneg _ f l H') as S.
  pose proof (one_more (sum f l) (f a) (size l) N S Ha) as O. set (n := size l) in *.
  assert (0 < n ^ n) as P by (destruct (Z.eq_dec n 0) as [->|]; [reflexivity|apply Z.pow_pos_nonneg; lia]).
  apply (Z.mul_le_mono_pos_l _ _ (n ^ n) P). eapply Z.le_trans; [|rewrite Z.add_comm; exact O].
  assert (0 <= Z.succ n ^ Z.succ n * f a) as Q by (apply Z.mul_nonneg_nonneg; auto; apply Z.pow_nonneg; lia).
  pose proof (Z.mul_le_mono_nonneg_r _ _ _ Q IH). lia.
Qed.

(** * Rows by their values *)
Lemma often_cons x y l : often x (y :: l) = (if y =? x then 1 else 0) + often x l.
Proof.
  unfold often. cbn [count_occ]. destruct (Z.eq_dec y x) as [->|N]; [rewrite Z.eqb_refl; lia|].
  destruct (Z.eqb_spec y x); [contradiction|lia].
Qed.
Lemma often_in x l : In x l -> 1 <= often x l.
Proof. intros H. apply (count_occ_In Z.eq_dec) in H. unfold often. lia. Qed.
Lemma often_app x l l' : often x (l ++ l') = often x l + often x l'.
Proof. unfold often. rewrite count_occ_app. lia. Qed.
Lemma sum_one x (g : Z -> Z) l : NoDup l -> In x l -> sum (fun y => if x =? y then g y else 0) l = g x.
Proof.
  induction 1 as [|y l N D IH]; intros H; [destruct H|]. cbn [sum]. destruct H as [->|H].
  - rewrite Z.eqb_refl, sum_zero; [lia|]. intros z Hz. destruct (Z.eqb_spec x z) as [->|]; [contradiction|reflexivity].
  - destruct (Z.eqb_spec x y) as [->|]; [contradiction|]. rewrite IH; auto.
Qed.
Lemma product_one x (g : Z -> Z) l : NoDup l -> In x l -> product (fun y => if x =? y then g y else 1) l = g x.
Proof.
  induction 1 as [|y l N D IH]; intros H; [destruct H|]. cbn [product]. destruct H as [->|H].
  - rewrite Z.eqb_refl, (product_eq _ _ (fun _ => 1)); [rewrite product_same, Z.pow_1_l; [lia|apply size_nonneg]|].
    intros z Hz. destruct (Z.eqb_spec x z) as [->|]; [contradiction|reflexivity].
  - destruct (Z.eqb_spec x y) as [->|]; [contradiction|]. rewrite IH; auto. lia.
Qed.
Lemma sum_values (g : Z -> Z) l d : NoDup d -> incl l d -> sum g l = sum (fun x => often x l * g x) d.
Proof.
  intros D. induction l as [|y l IH]; intros I; cbn [sum].
  - symmetry. apply sum_zero. reflexivity.
  - rewrite IH by (intros z Hz; apply I; right; exact Hz). rewrite <- (sum_one y g d D) at 1 by (apply I; left; auto).
    rewrite <- sum_add. apply sum_eq. intros x _. rewrite often_cons. destruct (y =? x); lia.
Qed.
Lemma product_values (g : Z -> Z) l : (forall x, In x l -> 0 < g x) -> forall d, (forall x, In x d -> 1 <= g x ^ often x l) ->
  incl l d -> product g l <= product (fun x => g x ^ often x l) d.
Proof.
  intros G d. set (e := nodup Z.eq_dec l). intros D I.
  assert (product g l = product (fun x => g x ^ often x l) e) as ->.
  { assert (forall k, NoDup e -> incl k e -> product g k = product (fun x => g x ^ often x k) e) as H; [|apply H; [apply NoDup_nodup|]].
    - clear. induction k as [|y k IH]; intros N I; cbn [product].
      + rewrite (product_eq _ _ (fun _ => 1)) by (intros; apply Z.pow_0_r). rewrite product_same, Z.pow_1_l; [reflexivity|apply size_nonneg].
      + rewrite IH by (auto; intros z Hz; apply I; right; exact Hz).
        rewrite (product_eq _ (fun x => g x ^ often x (y :: k)) (fun x => (if y =? x then g x else 1) * g x ^ often x k)).
        * rewrite product_mul. f_equal. symmetry. apply product_one; auto. apply I. left. reflexivity.
        * intros x _. rewrite often_cons. assert (0 <= often x k) by (unfold often; lia). destruct (y =? x); [|rewrite Z.mul_1_l; reflexivity].
          rewrite Z.add_1_l, Z.pow_succ_r; auto.
    - intros x Hx. apply nodup_In. exact Hx. }
  assert (NoDup e) as N by apply NoDup_nodup. assert (incl e d) as J by (intros x Hx; apply I; apply nodup_In in Hx; exact Hx).
  clearbody e. clear G I. revert d D J. induction N as [|x e Nx N IH]; intros d D J; cbn [product].
  - assert (0 < product (fun x => g x ^ often x l) d) by (apply product_positive; intros z Hz; specialize (D z Hz); lia). lia.
  - destruct (in_split x d (J x (or_introl eq_refl))) as [d1 [d2 ->]]. rewrite product_app. cbn [product].
    assert (incl e (d1 ++ d2)) as K.
    { intros z Hz. specialize (J z (or_intror Hz)). apply in_app_or in J. apply in_or_app. destruct J as [J|[->|J]]; auto. contradiction. }
    specialize (IH (d1 ++ d2)). rewrite product_app in IH. specialize (D x) as Dx. rewrite in_app_iff in Dx. cbn in Dx.
    assert (1 <= g x ^ often x l) as P by (apply Dx; auto).
    assert (product (fun y => g y ^ often y l) e <= product (fun y => g y ^ often y l) d1 * product (fun y => g y ^ often y l) d2) as Q.
    { apply IH; auto. intros z Hz. apply D. apply in_app_or in Hz. apply in_or_app. cbn. tauto. }
    assert (0 <= g x ^ often x l) as P0 by lia. pose proof (Z.mul_le_mono_nonneg_l _ _ _ P0 Q). lia.
Qed.

(** Gibbs' inequality: no other shares come to more than the rows' own. *)
Lemma gibbs w l s : (forall x, In x l -> 0 <= w x) -> sum w (nodup Z.eq_dec l) <= s ->
  size l ^ size l * product w l <= product (fun x => often x l) l * s ^ size l.
Proof.
  intros W S. set (c := fun x => often x l). set (d := product c l).
  assert (forall x, In x l -> 0 < c x) as C by (intros x Hx; apply often_in in Hx; unfold c; lia).
  assert (0 < d) as D by (apply product_positive; exact C). set (y := fun x => w x * (d / c x)).
  assert (forall x, In x l -> c x * (d / c x) = d) as E.
  { intros x Hx. specialize (C x Hx). symmetry. apply Z_div_exact_full_2; [lia|]. apply Z.mod_divide; [lia|]. apply (product_divides _ c). exact Hx. }
  assert (forall x, In x l -> 0 <= y x) as Y.
  { intros x Hx. apply Z.mul_nonneg_nonneg; [auto|]. apply Z.div_pos; [lia|auto]. }
  assert (sum y l = d * sum w (nodup Z.eq_dec l)) as T.
  { rewrite (sum_values y l (nodup Z.eq_dec l)); [|apply NoDup_nodup|intros x Hx; apply nodup_In; exact Hx]. rewrite <- sum_mul.
    apply sum_eq. intros x Hx. apply nodup_In in Hx. specialize (E x Hx). fold (c x). unfold y. rewrite <- E at 2. ring. }
  assert (product y l * d = product w l * d ^ size l) as Q.
  { transitivity (product (fun x => y x * c x) l); [rewrite product_mul; reflexivity|].
    rewrite <- (product_same _ d l), <- product_mul. apply product_eq. intros x Hx.
    specialize (E x Hx). unfold y. rewrite <- E at 2. ring. }
  pose proof (means _ y l Y) as M. rewrite T in M.
  assert (0 <= sum w (nodup Z.eq_dec l)) as N by (apply sum_nonneg; intros x Hx; apply W; apply nodup_In in Hx; exact Hx).
  assert ((d * sum w (nodup Z.eq_dec l)) ^ size l <= d ^ size l * s ^ size l) as P.
  { rewrite Z.pow_mul_l. apply Z.mul_le_mono_nonneg_l; [apply Z.pow_nonneg; lia|]. apply Z.pow_le_mono_l. lia. }
  assert (0 < d ^ size l) as K by (apply Z.pow_pos_nonneg; [exact D|apply size_nonneg]).
  apply (Z.mul_le_mono_pos_r _ _ (d ^ size l) K).
  pose proof (Z.mul_le_mono_nonneg_r _ _ d (Z.lt_le_incl _ _ D) M). pose proof (Z.mul_le_mono_nonneg_r _ _ d (Z.lt_le_incl _ _ D) P).
  fold c. fold d. rewrite <- Z.mul_assoc, <- Q. lia.
Qed.

(** * Classes *)
Definition spread (l d : Z) (xs : list Z) : Prop := l ^ size xs * product (fun x => often x xs) xs <= (d * size xs) ^ size xs.
Lemma spread_weighed l d w xs s : 0 <= l -> (forall x, In x xs -> 0 <= w x) -> sum w (nodup Z.eq_dec xs) <= s -> 0 <= s ->
  spread l d xs -> l ^ size xs * product w xs <= (d * s) ^ size xs.
Proof.
  unfold spread. intros L W S S0 H. pose proof (gibbs w xs s W S) as G. set (n := size xs) in *.
  assert (0 < n ^ n) as P.
  { destruct (Z.eq_dec n 0) as [->|]; [reflexivity|]. apply Z.pow_pos_nonneg; pose proof (size_nonneg _ xs); unfold n in *; lia. }
  rewrite !Z.pow_mul_l in *. assert (0 <= l ^ n) as A by (apply Z.pow_nonneg; exact L). assert (0 <= s ^ n) as B by (apply Z.pow_nonneg; exact S0).
  apply (Z.mul_le_mono_pos_l _ _ (n ^ n) P). pose proof (Z.mul_le_mono_nonneg_l _ _ _ A G). pose proof (Z.mul_le_mono_nonneg_r _ _ _ B H). lia.
Qed.
Lemma sum_often d l : NoDup d -> sum (fun x => often x l) d <= size l.
Proof.
  intros D. assert (size l = sum (fun _ => 1) l) as -> by (unfold size; clear; induction l; cbn [length sum]; lia).
  rewrite (sum_values (fun _ => 1) l (nodup Z.eq_dec (d ++ l))); [|apply NoDup_nodup|intros x Hx; apply nodup_In, in_or_app; auto].
  assert (forall e, NoDup d -> NoDup e -> incl d e -> sum (fun x => often x l) d <= sum (fun x => often x l * 1) e) as H.
  { clear. induction d as [|x d IH]; intros e D E I; cbn [sum].
    - apply sum_nonneg. intros x _. unfold often. lia.
    - destruct (in_split x e (I x (or_introl eq_refl))) as [e1 [e2 ->]]. inversion D as [|? ? Nx D']; subst.
      rewrite sum_app. cbn [sum]. specialize (IH (e1 ++ e2) D' (NoDup_remove_1 _ _ _ E)). rewrite sum_app in IH.
      assert (incl d (e1 ++ e2)); [|specialize (IH H); lia]. intros z Hz. specialize (I z (or_intror Hz)). apply in_app_or in I. apply in_or_app.
      destruct I as [I|[->|I]]; auto. contradiction. }
  apply H; auto; [apply NoDup_nodup|]. intros x Hx. apply nodup_In, in_or_app. auto.
Qed.
Lemma spread_permutation l d xs ys : Permutation xs ys -> spread l d xs -> spread l d ys.
Proof.
  intros P. unfold spread. assert (size xs = size ys) as -> by (unfold size; rewrite (Permutation_length P); reflexivity).
  rewrite (product_permutation _ (fun x => often x xs) _ _ P). rewrite (product_eq _ (fun x => often x xs) (fun x => often x ys)); auto.
  intros x _. unfold often. rewrite (proj1 (Permutation_count_occ Z.eq_dec _ _) P). reflexivity.
Qed.
(** [V4] *)
Lemma spread_union l d xs ys : 0 <= l -> 0 <= d -> spread l d xs -> spread l d ys -> spread l d (xs ++ ys).
Proof.
  intros L D H G. set (w := fun x => often x (xs ++ ys)). set (s := size (xs ++ ys)).
  assert (0 <= s) as S by apply size_nonneg.
  assert (forall zs x, In x zs -> 0 <= w x) as W by (intros zs x _; unfold w, often; lia).
  assert (forall zs, sum w (nodup Z.eq_dec zs) <= s) as T by (intros zs; apply sum_often, NoDup_nodup).
  pose proof (spread_weighed l d w xs s L (W xs) (T xs) S H) as A. pose proof (spread_weighed l d w ys s L (W ys) (T ys) S G) as B.
  unfold spread. fold s. fold w. rewrite product_app. unfold s at 1 3. rewrite size_app, !Z.pow_add_r by apply size_nonneg.
  assert (0 <= l ^ size xs * product w xs) as A0 by (apply Z.mul_nonneg_nonneg; [apply Z.pow_nonneg; exact L|apply product_nonneg, W]).
  assert (0 <= l ^ size ys * product w ys) as B0 by (apply Z.mul_nonneg_nonneg; [apply Z.pow_nonneg; exact L|apply product_nonneg, W]).
  pose proof (Z.mul_le_mono_nonneg _ _ _ _ A0 A B0 B). lia.
Qed.
