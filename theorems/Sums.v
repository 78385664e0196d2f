(** Sums over lists, and lists parted by a key. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
Import ListNotations.
Open Scope Z_scope.

(** * Sums *)
Fixpoint sum {A} (f : A -> Z) (l : list A) : Z :=
  match l with [] => 0 | a :: l' => f a + sum f l' end.
Definition number_of {A} (b : A -> bool) (l : list A) : Z := sum (fun a => if b a then 1 else 0) l.

Lemma sum_le A (f g : A -> Z) l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lia|].
  pose proof (H a (or_introl eq_refl)). specialize (IH (fun b Hb => H b (or_intror Hb))). lia.
Qed.
Lemma sum_eq A (f g : A -> Z) l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
Proof. induction l as [|a l IH]; simpl; intros H; [lia|]. rewrite (H a), IH; auto. Qed.
Lemma sum_zero A (f : A -> Z) l : (forall a, In a l -> f a = 0) -> sum f l = 0.
Proof. induction l as [|a l IH]; simpl; intros H; [lia|]. rewrite (H a), IH; auto. Qed.
Lemma sum_nonneg A (f : A -> Z) l : (forall a, In a l -> 0 <= f a) -> 0 <= sum f l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lia|].
  pose proof (H a (or_introl eq_refl)). specialize (IH (fun b Hb => H b (or_intror Hb))). lia.
Qed.
Lemma sum_add A (f g : A -> Z) l : sum (fun a => f a + g a) l = sum f l + sum g l.
Proof. induction l; simpl; lia. Qed.
Lemma sum_mul A c (f : A -> Z) l : sum (fun a => c * f a) l = c * sum f l.
Proof. induction l; simpl; lia. Qed.
Lemma sum_app A (f : A -> Z) l l' : sum f (l ++ l') = sum f l + sum f l'.
Proof. induction l; simpl; lia. Qed.
Lemma sum_map A B (h : A -> B) f l : sum f (map h l) = sum (fun a => f (h a)) l.
Proof. induction l; simpl; auto; lia. Qed.
Lemma sum_filter A (f : A -> Z) b l : sum f (filter b l) = sum (fun a => if b a then f a else 0) l.
Proof. induction l as [|a l IH]; simpl; auto. destruct (b a); simpl; lia. Qed.
Lemma sum_permutation A (f : A -> Z) l l' : Permutation l l' -> sum f l = sum f l'.
Proof. induction 1; simpl; lia. Qed.
Lemma sum_fold A (f : A -> Z) l : fold_right Z.add 0 (map f l) = sum f l.
Proof. induction l; simpl; lia. Qed.
Lemma sum_divides A d (f : A -> Z) l : (forall a, In a l -> (d | f a)) -> (d | sum f l).
Proof.
  induction l as [|a l IH]; simpl; intros H; [apply Z.divide_0_r|]. apply Z.divide_add_r; [apply H; left; reflexivity|].
  apply IH. intros b Hb. apply H. right. exact Hb.
Qed.
Lemma number_of_nonneg A (b : A -> bool) l : 0 <= number_of b l.
Proof. apply sum_nonneg. intros a _. destruct (b a); lia. Qed.
Lemma number_of_le A (b c : A -> bool) l :
  (forall a, In a l -> b a = true -> c a = true) -> number_of b l <= number_of c l.
Proof.
  intros H. apply sum_le. intros a Ha. specialize (H a Ha).
  destruct (b a); [rewrite H; auto; lia | destruct (c a); lia].
Qed.
Lemma filter_map A B (h : A -> B) b l : filter b (map h l) = map h (filter (fun a => b (h a)) l).
Proof. induction l as [|a l IH]; simpl; auto. destruct (b (h a)); simpl; rewrite IH; auto. Qed.
Lemma filter_filter A (b c : A -> bool) l : filter b (filter c l) = filter (fun a => c a && b a) l.
Proof. induction l as [|a l IH]; simpl; auto. destruct (c a); simpl; rewrite ?IH; auto. Qed.

(** * Lists parted by a key: a trie *)
Section Trie.
Context {A : Type}.
Inductive trie := Tip | Fork (l : trie) (here : list A) (r : trie).
Fixpoint insert (q : positive) (a : A) (t : trie) : trie :=
  match q with
  | xH => match t with Tip => Fork Tip [a] Tip | Fork l v r => Fork l (a :: v) r end
  | xO q => match t with Tip => Fork (insert q a Tip) [] Tip | Fork l v r => Fork (insert q a l) v r end
  | xI q => match t with Tip => Fork Tip [] (insert q a Tip) | Fork l v r => Fork l v (insert q a r) end
  end.
Fixpoint get (q : positive) (t : trie) : list A :=
  match t with
  | Tip => []
  | Fork l v r => match q with xH => v | xO q => get q l | xI q => get q r end
  end.
Definition part_by (key : A -> positive) (l : list A) : trie := fold_right (fun a t => insert (key a) a t) Tip l.
Fixpoint total (f : list A -> Z) (t : trie) : Z :=
  match t with Tip => 0 | Fork l v r => total f l + f v + total f r end.
(** What [f] says of every part, one after another. *)
Fixpoint gather {B} (f : list A -> list B) (t : trie) (more : list B) : list B :=
  match t with
  | Tip => more
  | Fork l v r => gather f l (match v with [] => gather f r more | _ => f v ++ gather f r more end)
  end.

Lemma get_tip q : get q Tip = [].
Proof. destruct q; reflexivity. Qed.
Lemma get_insert q a : forall t x, get x (insert q a t) = if Pos.eqb x q then a :: get x t else get x t.
Proof.
  induction q; intros t x; destruct t, x; simpl; try rewrite IHq; rewrite ?get_tip; auto;
    destruct (Pos.eqb _ _); auto.
Qed.
Lemma get_part key l q : get q (part_by key l) = filter (fun a => Pos.eqb q (key a)) l.
Proof.
  induction l as [|a l IH]; simpl; [apply get_tip|].
  rewrite get_insert, IH. destruct (Pos.eqb q (key a)); reflexivity.
Qed.
Lemma total_insert f q a : forall t, total (sum f) (insert q a t) = f a + total (sum f) t.
Proof. induction q; intros t; destruct t; simpl; try rewrite IHq; simpl; lia. Qed.
Lemma total_part f key l : total (sum f) (part_by key l) = sum f l.
Proof. induction l; simpl; auto. rewrite total_insert. lia. Qed.
Lemma total_sign f t : f [] = 0 -> (forall q, f (get q t) <= 0) -> total f t <= 0.
Proof.
  intros H0. induction t as [|l IHl v r IHr]; simpl; intros H; [lia|].
  assert (total f l <= 0) by (apply IHl; intro q; apply (H (xO q))).
  assert (total f r <= 0) by (apply IHr; intro q; apply (H (xI q))).
  specialize (H xH). simpl in H. lia.
Qed.
Lemma gather_app B (f : list A -> list B) t : forall more, gather f t more = gather f t [] ++ more.
Proof.
  induction t as [|l IHl v r IHr]; intros more; simpl; auto.
  rewrite IHl. rewrite (IHl (match v with [] => _ | _ => f v ++ gather f r [] end)).
  rewrite <- app_assoc. f_equal. destruct v; rewrite (IHr more); auto. now rewrite app_assoc.
Qed.
Definition on_part (f : list A -> Z) (v : list A) : Z := match v with [] => 0 | _ => f v end.
Lemma sum_gather B (f : list A -> list B) (h : B -> Z) t :
  sum h (gather f t []) = total (on_part (fun v => sum h (f v))) t.
Proof.
  induction t as [|l IHl v r IHr]; simpl; auto. rewrite gather_app, sum_app, IHl.
  destruct v; simpl; rewrite ?sum_app, IHr; lia.
Qed.
Lemma in_gather B (f : list A -> list B) t q x :
  get q t <> [] -> In x (f (get q t)) -> In x (gather f t []).
Proof.
  revert q. induction t as [|l IHl v r IHr]; intros q Hn Hx; [destruct q; simpl in Hn; congruence|].
  simpl. rewrite gather_app. apply in_or_app. destruct q; simpl in *.
  - right. destruct v; [|apply in_or_app; right]; eapply IHr; eauto.
  - left. eapply IHl; eauto.
  - right. destruct v; [congruence|]. apply in_or_app. left. exact Hx.
Qed.
Lemma gather_in B (f : list A -> list B) t x :
  In x (gather f t []) -> exists q, get q t <> [] /\ In x (f (get q t)).
Proof.
  induction t as [|l IHl v r IHr]; simpl; [tauto|]. rewrite gather_app, in_app_iff.
  assert (In x (gather f r []) -> exists q, get q (Fork l v r) <> [] /\ In x (f (get q (Fork l v r)))) as R.
  { intros H. destruct (IHr H) as [q Hq]. exists (xI q). exact Hq. }
  intros [H|H].
  - destruct (IHl H) as [q Hq]. exists (xO q). exact Hq.
  - destruct v as [|a v]; auto. apply in_app_iff in H. destruct H as [H|H]; auto.
    exists xH. split; [discriminate|exact H].
Qed.
End Trie.
Arguments trie : clear implicits.

(** Two lists parted by keys: what holds of every key's parts holds of the sums. *)
Lemma total_le A B (f : list A -> Z) (h : list B -> Z) t : f [] = 0 -> h [] = 0 ->
  forall t', (forall q, f (get q t) <= h (get q t')) -> total f t <= total h t'.
Proof.
  intros F0 H0. induction t as [|l IHl v r IHr]; intros t' H.
  - pose proof (total_sign (fun x => - h x) t') as S. cbn beta in S.
    assert (total (fun x => - h x) t' = - total h t') as E by (clear; induction t'; simpl; lia).
    rewrite E in S. simpl total. enough (- total h t' <= 0) by lia. apply S; [lia|].
    intro q. specialize (H q). rewrite get_tip in H. lia.
  - destruct t' as [|l' v' r'].
    + simpl total at 2. apply total_sign; auto. intro q. specialize (H q). rewrite get_tip in H. lia.
    + simpl. assert (total f l <= total h l') by (apply IHl; intro q; apply (H (xO q))).
      assert (total f r <= total h r') by (apply IHr; intro q; apply (H (xI q))).
      specialize (H xH). simpl in H. lia.
Qed.
Lemma parts_le A B (f : list A -> Z) (d : B -> Z) ka kb (l : list A) (l' : list B) : f [] = 0 ->
  (forall q, f (filter (fun a => Pos.eqb q (ka a)) l) <= sum d (filter (fun b => Pos.eqb q (kb b)) l')) ->
  total f (part_by ka l) <= sum d l'.
Proof.
  intros F0 H. rewrite <- (total_part d kb l'). apply total_le; auto.
  intro q. rewrite !get_part. apply H.
Qed.
