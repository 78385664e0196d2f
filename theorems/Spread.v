(** [V7] Classes of several values, and instances that have no class: what is asked of numbers of values, and of shares. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Entropy Required Model Reading Walk Dominance Prices Runs Meeting.
Import ListNotations.
Open Scope Z_scope.

(** How many values of which columns a requirement asks for. *)
Definition several (q : requirement) : list ((Z -> Z) * Z) :=
  match q with
  | Distinct value least => [(value, least)]
  | Joint values l => map (fun value => (value, Z.of_nat l)) values
  | _ => []
  end.
Definition values_of (value : Z -> Z) (G : list type) : list Z := map fst (counted (map (fun i => value (other i)) G)).
(** The least term of a value. *)
Fixpoint lowest (l : list Z) : Z := match l with [] => 0 | [x] => x | x :: l' => Z.min x (lowest l') end.
Definition lowest_at (value : Z -> Z) (term : type -> Z) (dictionary : trie type) (x : Z) : Z :=
  lowest (map term (filter (fun i => value (other i) =? x) (get (key x) dictionary))).
(** What [n] rows or more of [l] values or more come to, by a threshold: rows below it, and above it the least of each value. *)
Definition above_least (l theta n : Z) (ts lows : list (Z * Z)) : Z :=
  below theta n ts + least l (map (fun x => (Z.max 0 (snd x - theta), 1)) lows).
Definition spread_least (value : Z -> Z) (l n : Z) (term : type -> Z) (G : list type) : Z :=
  let ts := terms term G in let sorted := TermSort.sort ts in let n' := Z.min n (sum snd ts) in
  let dictionary := part_by (fun i => key (value (other i))) G in
  let lows := map (fun x => (x, lowest_at value term dictionary x)) (values_of value G) in
  let thetas := map (fun j => let m := n' - Z.of_nat j in if m <=? 0 then 0 else Z.max 0 (nth_term m sorted)) (seq 0 (Z.to_nat (Z.min l 64))) in
  fold_right Z.max (above_least l 0 n' ts lows) (map (fun theta => above_least l theta n' ts lows) thetas).
(** The most rows that a class of an instance can have: no value may have more than its share of them. *)
Definition shared (share : Z -> N) (whole most : Z) (counts : list (Z * Z)) : Z :=
  sum (fun x => Z.min (snd x) (Z.of_N (share (fst x)) * most / whole)) counts.
Fixpoint shrunk (fuel : nat) (share : Z -> N) (whole most : Z) (counts : list (Z * Z)) : Z :=
  match fuel with
  | O => most
  | S fuel' => let less := shared share whole most counts in if less <? most then shrunk fuel' share whole less counts else most
  end.
Definition rows_with (value : Z -> Z) (dictionary : trie type) (x : Z) : Z :=
  sum (fun i => if value (other i) =? x then Z.max 0 (count i) else 0) (get (key x) dictionary).
(** Whether no class of an instance, of [n] rows or more, can meet a requirement. *)
Definition hopeless (n : Z) (G : list type) (q : requirement) : bool :=
  match q with
  | Shares value share whole =>
      let dictionary := part_by (fun i => key (value (other i))) G in
      (0 <? whole) && (shrunk 64 share whole (rows_of G) (map (fun x => (x, rows_with value dictionary x)) (values_of value G)) <? n)
  | _ => existsb (fun c => Z.of_nat (length (values_of (fst c) G)) <? snd c) (several q)
  end.

Section Class.
Variable C G : list type.
Variable n : Z.
Hypothesis chosen : chosen_from C G.
Hypothesis within : incl C G.
Hypothesis enough : n <= sum (fun _ => 1) C.
Let vals (value : Z -> Z) : list Z := nodup Z.eq_dec (map (fun i => value (other i)) C).

Lemma values_have value i : In i G -> In (value (other i)) (values_of value G).
Proof.
  intros H. apply in_map_iff. exists (value (other i), often (value (other i)) (map (fun i => value (other i)) G)). split; auto.
  apply counted_have_often. apply (in_map (fun i => value (other i))). exact H.
Qed.
Lemma vals_incl value : incl (vals value) (values_of value G).
Proof. intros x Hx. apply nodup_In in Hx. apply in_map_iff in Hx. destruct Hx as [i [<- Hi]]. apply values_have, within, Hi. Qed.
Lemma lowest_le l x : In x l -> lowest l <= x.
Proof.
  induction l as [|y l IH]; intros H; [destruct H|]. destruct H as [->|H].
  - cbn [lowest]. destruct l; lia.
  - specialize (IH H). cbn [lowest]. destruct l; [destruct H|]. lia.
Qed.
Lemma lowest_at_le value term i : In i G -> lowest_at value term (part_by (fun i => key (value (other i))) G) (value (other i)) <= term i.
Proof.
  intros H. apply lowest_le, in_map, filter_In. split; [|apply Z.eqb_refl]. rewrite get_part. apply filter_In. split; auto. apply Pos.eqb_refl.
Qed.
Lemma least_values (h : Z -> Z) value l : l <= Z.of_nat (length (vals value)) ->
  least l (map (fun x => (h x, 1)) (values_of value G)) <= sum h (vals value).
Proof.
  intros L. unfold least. set (l' := Z.min l _). assert (l' <= l) by (unfold l'; lia). set (theta := Z.max 0 _).
  assert (0 <= theta) as T by (unfold theta; lia). unfold below. rewrite sum_map. cbn [fst snd].
  assert (sum (fun x => Z.max 0 (theta - h x)) (vals value) <= sum (fun x => 1 * Z.max 0 (theta - h x)) (values_of value G)) as A.
  { rewrite (sum_eq _ (fun x => Z.max 0 (theta - h x)) (fun x => 1 * Z.max 0 (theta - h x))) by (intros; lia).
    apply sum_incl; [intros; lia|apply NoDup_nodup|apply vals_incl]. }
  assert (theta * Z.of_nat (length (vals value)) <= sum h (vals value) + sum (fun x => Z.max 0 (theta - h x)) (vals value)) as B.
  { rewrite <- sum_add. clearbody theta. clear. induction (vals value) as [|x some IH]; cbn [length sum]; lia. }
  nia.
Qed.
Lemma V7_above value l theta m (term : type -> Z) : l <= Z.of_nat (length (vals value)) -> 0 <= theta -> m <= n ->
  above_least l theta m (terms term G)
    (map (fun x => (x, lowest_at value term (part_by (fun i => key (value (other i))) G) x)) (values_of value G)) <= sum term C.
Proof.
  intros L T M. unfold above_least. rewrite map_map. cbn [snd].
  set (h := fun x => Z.max 0 (lowest_at value term (part_by (fun i => key (value (other i))) G) x - theta)).
  pose proof (least_values h value l L) as A.
  change (below theta m (terms term G) + least l (map (fun x => (h x, 1)) (values_of value G)) <= sum term C).
  assert (below theta m (terms term G) <= sum (fun i => Z.min (term i) theta) C) as B.
  { assert (below theta m (terms term G) = below theta m (terms (fun i => Z.min (term i) theta) G)) as ->.
    { unfold below, terms. rewrite !sum_map. f_equal. apply sum_eq. intros i _. cbn [fst snd]. f_equal. lia. }
    apply P2_below; auto. lia. }
  assert (sum h (vals value) <= sum (fun i => Z.max 0 (term i - theta)) C) as D.
  { eapply Z.le_trans; [|apply (sum_le _ (fun i => h (value (other i))))].
    - rewrite <- (sum_map _ _ (fun i => value (other i)) h). rewrite (sum_values h (map (fun i => value (other i)) C) (vals value)); [|apply NoDup_nodup|intros x Hx; apply nodup_In; exact Hx].
      apply sum_le. intros x Hx. apply nodup_In in Hx. apply often_in in Hx. assert (0 <= h x) by (unfold h; lia). nia.
    - intros i Hi. pose proof (lowest_at_le value term i (within i Hi)). unfold h. lia. }
  assert (sum term C = sum (fun i => Z.min (term i) theta) C + sum (fun i => Z.max 0 (term i - theta)) C) as ->.
  { rewrite <- sum_add. apply sum_eq. intros i _. lia. }
  lia.
Qed.
Lemma fold_max_le x l z : x <= z -> (forall y, In y l -> y <= z) -> fold_right Z.max x l <= z.
Proof. intros X. induction l as [|y l IH]; intros H; cbn [fold_right]; auto. apply Z.max_lub; [apply H; left; auto|apply IH; intros; apply H; right; auto]. Qed.
(** [V7] *)
Theorem V7_least value l (term : type -> Z) : l <= Z.of_nat (length (vals value)) -> spread_least value l n term G <= sum term C.
Proof.
  intros L. unfold spread_least. cbv zeta. assert (Z.min n (sum snd (terms term G)) <= n) as M by lia. apply fold_max_le.
  - apply V7_above; auto; lia.
  - intros y Hy. apply in_map_iff in Hy. destruct Hy as [theta [<- Hy]]. apply in_map_iff in Hy. destruct Hy as [j [<- _]].
    apply V7_above; auto. destruct (_ <=? 0); lia.
Qed.

Variable table : list Z.
Hypothesis someone : C <> [].
Lemma several_values q value l : meets table (map other C) q -> In (value, l) (several q) -> l <= Z.of_nat (length (vals value)).
Proof.
  unfold vals. rewrite <- (map_map other value). destruct q as [| v least| | |values k|]; cbn [meets several]; intros H I; try contradiction.
  - destruct I as [I|[]]. injection I as -> ->. exact H.
  - apply in_map_iff in I. destruct I as [v [E Hv]]. injection E as <- <-. destruct C as [|i C'] eqn:EC; [congruence|].
    destruct (H (other i) (or_introl eq_refl)) as [rows [_ [H2 [H3 H4]]]]. apply inj_le. eapply Nat.le_trans; [exact H3|].
    rewrite <- (map_length v rows). apply NoDup_incl_length.
    + clear H2 H3. induction H4 as [|x rows F O IH]; constructor; auto. intros K. apply in_map_iff in K. destruct K as [y [E Hy]].
      rewrite Forall_forall in F. specialize (F y Hy v Hv). congruence.
    + intros x Hx. apply in_map_iff in Hx. destruct Hx as [y [<- Hy]]. apply nodup_In, in_map, H2, Hy.
Qed.
Lemma rows_with_most value x : often x (map (fun i => value (other i)) C) <= rows_with value (part_by (fun i => key (value (other i))) G) x.
Proof.
  unfold rows_with. rewrite get_part, sum_filter. specialize (chosen (fun i => if value (other i) =? x then 1 else 0)).
  assert (sum (fun i => if value (other i) =? x then 1 else 0) C = often x (map (fun i => value (other i)) C)) as <-.
  { clear. induction C as [|i c IH]; cbn [sum map]; auto. rewrite often_cons, IH. reflexivity. }
  eapply Z.le_trans; [apply chosen; intros i; destruct (_ =? _); lia|]. apply sum_le. intros i _.
  destruct (Z.eqb_spec (value (other i)) x) as [->|N]; [rewrite Pos.eqb_refl; lia|]. destruct (Pos.eqb _ _); lia.
Qed.
Lemma V7_shrunk value share whole : 0 < whole -> meets table (map other C) (Shares value share whole) ->
  forall fuel most, sum (fun _ => 1) C <= most ->
  sum (fun _ => 1) C <= shrunk fuel share whole most
    (map (fun x => (x, rows_with value (part_by (fun i => key (value (other i))) G) x)) (values_of value G)).
Proof.
  intros W H. set (xs := map (fun i => value (other i)) C).
  induction fuel as [|fuel IH]; intros most M; cbn [shrunk]; auto. cbv zeta. set (less := shared _ _ _ _). enough (sum (fun _ => 1) C <= less) as K
    by (destruct (less <? most); auto). unfold less, shared. rewrite sum_map. cbn [fst snd].
  set (f := fun x => Z.min (rows_with value (part_by (fun i => key (value (other i))) G) x) (Z.of_N (share x) * most / whole)).
  assert (sum (fun _ : type => 1) C = sum (fun x => often x xs * 1) (vals value)) as ->.
  { rewrite <- (sum_values (fun _ => 1) xs (vals value)); [|apply NoDup_nodup|intros x Hx; apply nodup_In; exact Hx]. unfold xs. rewrite sum_map. reflexivity. }
  assert (0 <= most) as M0 by (assert (0 <= sum (fun _ : type => 1) C) by (apply sum_nonneg; lia); lia).
  eapply Z.le_trans; [apply (sum_le _ _ f)|apply sum_incl; [|apply NoDup_nodup|apply vals_incl]].
  - intros x _. rewrite Z.mul_1_r. unfold f. apply Z.min_glb; [apply rows_with_most|]. apply Z.div_le_lower_bound; [exact W|].
    cbn [meets] in H. specialize (H x). rewrite map_map, map_length in H. fold xs in H.
    assert (Z.of_nat (length C) = sum (fun _ => 1) C) as E by (clear; induction C; cbn [length sum]; lia). rewrite E in H.
    assert (0 <= Z.of_N (share x)) by lia. nia.
  - intros x _. unfold f. apply Z.min_glb.
    + eapply Z.le_trans; [|apply rows_with_most]. unfold often. lia.
    + apply Z.div_pos; [|exact W]. apply Z.mul_nonneg_nonneg; lia.
Qed.
Theorem V7_hopeless q : meets table (map other C) q -> hopeless n G q = false.
Proof.
  intros H. assert (existsb (fun c => Z.of_nat (length (values_of (fst c) G)) <? snd c) (several q) = false) as S.
  { apply not_true_is_false. intros K. apply existsb_exists in K. destruct K as [[value l] [I K]]. cbn [fst snd] in K. apply Z.ltb_lt in K.
    pose proof (several_values q value l H I) as L.
    assert ((length (vals value) <= length (values_of value G))%nat) as N by (apply NoDup_incl_length; [apply NoDup_nodup|apply vals_incl]). apply inj_le in N.
    exact (Z.lt_irrefl l (Z.le_lt_trans _ _ _ (Z.le_trans _ _ _ L N) K)). }
  destruct q; cbn [hopeless] in *; auto. cbv zeta. destruct (Z.ltb_spec 0 whole) as [W|W]; auto. cbn [andb].
  assert (sum (fun _ => 1) C <= rows_of G) as R.
  { specialize (chosen (fun _ => 1)). unfold rows_of. rewrite (sum_eq _ (fun i => Z.max 0 (count i)) (fun i => Z.max 0 (count i) * 1)) by (intros; lia). apply chosen. intros; lia. }
  pose proof (V7_shrunk value share whole W H 64 (rows_of G) R) as Q. apply Z.ltb_ge. lia.
Qed.
End Class.
