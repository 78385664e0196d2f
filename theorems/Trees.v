(** [B1, B2; L3] Trees over the open and closed instances of a component, or of the whole table. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Model Reading Walk Dominance Prices Components Cuts Leaves.
Import ListNotations.
Open Scope Z_scope.

(** A leaf changes prices of row types and weighs cuts, both by their numbers. Nothing of a tree is believed. *)
Inductive node :=
| Leaf (moves weights : list (Z * Z))
| Branch (instance : Z) (closed open : node).
Record tree := Tree { of_part : Z; instances : list (vector * Z); cuts : list cut; root : node }.

Section Recount.
Variable p : policy.
Variable m : nat.
Variable vectors : list vector.
Variable parts : Z.
Variable hub : option vector.
Variable skips : vector -> list type -> bool.
Variable own : list type.

Section Node.
Variable names : list named.
Fixpoint node_value (known : list inequality) (st : state) (t : node) : option Z :=
  match t with
  | Leaf moves weights =>
      match weighed known weights with
      | Some used => Some (leaf_value p m vectors parts hub skips own names (moved_price (part_by (fun x => key (fst x)) moves)) used st)
      | None => None
      end
  | Branch x closed opened =>
      match filter (fun n => number n =? x) names with
      | [_] => match node_value known ((x, false) :: st) closed, node_value known ((x, true) :: st) opened with
               | Some a, Some b => Some (Z.min a b)
               | _, _ => None
               end
      | _ => None
      end
  end.
End Node.

Fixpoint all_of {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | x :: l' => match f x, all_of f l' with Some y, Some more => Some (y :: more) | _, _ => None end
  end.
Definition tree_value (t : tree) : option Z :=
  match names_of p hub own 0 (instances t) with
  | Some names =>
      if distinct names then
        match all_of (inequality_of (k p) own names) (cuts t) with
        | Some known => node_value names known [] (root t)
        | None => None
        end
      else None
  | None => None
  end.
(** [B1, L3] The largest of what is known of some row types; a tree that does not hold proves nothing. *)
Definition best (trees : list tree) : Z :=
  let at_prices := value p m vectors parts hub skips (fun _ _ => false) price own in
  match own with
  | [] => at_prices
  | i :: _ => fold_right (fun t b => match tree_value t with Some v => Z.max v b | None => b end) at_prices
                (filter (fun t => of_part t =? part i) trees)
  end.
End Recount.

Section Sound.
Variable p : policy.
Variable types : list type.
Variable m : nat.
Variable vectors : list vector.
Hypothesis types_tidy : tidy m (map cells types) = true.
Hypothesis vectors_long : forall v, In v vectors -> length v = m.
Variable a : list entry.
Hypothesis a_rows : Permutation (map fst a) (expand types).
Hypothesis a_valid : valid p vectors a.
Variable parts : Z.
Hypothesis parts_positive : 0 < parts.
Variable hub : option vector.
Variable skips : vector -> list type -> bool.
Hypothesis a_settled : forall e, In e a -> free p (shows (snd e) (fst e)) = false ->
  skips (snd e) (group types (snd e) (shows (snd e) (fst e))) = false.
Variable inc : type -> bool.
Hypothesis inc_apart : forall e, In e a -> free p (shows (snd e) (fst e)) = false -> is_hub hub (snd e) = false ->
  forall i j, In i (group types (snd e) (shows (snd e) (fst e))) -> In j (group types (snd e) (shows (snd e) (fst e))) -> inc i = inc j.
Let own := own_types types inc.
Let own_entries := own_rows a inc.
Let taken := taken a inc.
Let proper := proper p types hub inc.

Section Nodes.
Variable names : list named.
Hypothesis names_distinct : distinct names = true.
Hypothesis names_proper : forall n, In n names -> proper n.
Variable known : list inequality.
Hypothesis known_good : forall q, In q known -> holds names taken q /\
  forall n, touches q n = false -> opens q n = 0 /\ forall i, takes q n i = 0.

Lemma weighed_good weights : forall used, weighed known weights = Some used -> forall x, In x used -> 0 <= fst x /\ In (snd x) known.
Proof.
  induction weights as [|[at_ w] more IH]; intros used H x Hx; simpl in H; [injection H as <-; destruct Hx|].
  destruct (_ && _) in H; [|discriminate]. destruct (nth_error known (Z.to_nat at_)) as [q|] eqn:N; [|discriminate].
  destruct (weighed known more) as [l|]; [|discriminate]. destruct (_ && _ && _) eqn:E; [|discriminate]. injection H as <-.
  rewrite !andb_true_iff in E. destruct E as [[E1 E2] _]. apply Z.ltb_lt in E1. apply Z.leb_le in E2.
  destruct Hx as [<-|Hx]; [|apply (IH l); auto]. cbn [fst snd]. split; [apply Z.div_pos; lia|apply nth_error_In in N; exact N].
Qed.
(** [B2] *)
Lemma B2_node t : forall st v, reached a inc names st -> node_value p m vectors parts hub skips own names known st t = Some v ->
  v <= parts * total_cost own_entries.
Proof.
  induction t as [moves weights|x closed IHc opened IHo]; intros st v R H; simpl in H.
  - destruct (weighed known weights) as [used|] eqn:W; [|discriminate]. injection H as <-.
    pose proof (weighed_good weights used W) as G. apply (B4_leaf p types m vectors types_tidy vectors_long a a_rows a_valid parts parts_positive hub skips a_settled inc inc_apart names
      names_distinct names_proper); auto.
    + intros y Hy. destruct (G y Hy) as [G1 G2]. split; auto. apply known_good. exact G2.
    + intros y n Hy T. destruct (G y Hy) as [_ G2]. apply known_good; auto.
  - destruct (filter (fun n => number n =? x) names) as [|n [|]] eqn:F; try discriminate.
    destruct (node_value _ _ _ _ _ _ _ _ _ ((x, false) :: st) closed) as [vc|] eqn:C; [|discriminate].
    destruct (node_value _ _ _ _ _ _ _ _ _ ((x, true) :: st) opened) as [vo|] eqn:O; [|discriminate]. injection H as <-.
    assert (forall b, (if b : bool then taken n <> [] else taken n = []) -> reached a inc names ((x, b) :: st)) as Next.
    { intros b Hb y c Hy S. unfold is_open in S. simpl in S. destruct (Z.eqb_spec x (number y)) as [Ex|Ex].
      - assert (In y (filter (fun n => number n =? x) names)) as I by (apply filter_In; split; auto; apply Z.eqb_eq; auto).
        rewrite F in I. destruct I as [<-|[]]. injection S as <-. exact Hb.
      - apply (R y c Hy S). }
    destruct (taken n) eqn:T.
    + specialize (IHc _ vc (Next false eq_refl) C). lia.
    + assert (t :: l <> []) as N by discriminate. specialize (IHo _ vo (Next true N) O). lia.
Qed.
End Nodes.

Lemma all_of_in A B (f : A -> option B) l : forall l' y, all_of f l = Some l' -> In y l' -> exists x, In x l /\ f x = Some y.
Proof.
  induction l as [|x l IH]; intros l' y H Hy; simpl in H; [injection H as <-; destruct Hy|].
  destruct (f x) as [z|] eqn:F; [|discriminate]. destruct (all_of f l) as [more|]; [|discriminate]. injection H as <-.
  destruct Hy as [<-|Hy]; [exists x; simpl; auto|]. destruct (IH more y eq_refl Hy) as [w [W1 W2]]. exists w. simpl. auto.
Qed.
Lemma inequality_quiet k' names c q : inequality_of k' own names c = Some q ->
  forall n, touches q n = false -> opens q n = 0 /\ forall i, takes q n i = 0.
Proof.
  intros H n T. destruct c; simpl in H.
  - unfold cut_C in H. destruct (crossing _ _ _); [|discriminate]. injection H as <-. simpl in *. rewrite T. auto.
  - unfold cut_T in H. cbv zeta in H. destruct (_ && _); [|discriminate]. injection H as <-. cbn [touches opens takes] in *. rewrite T.
    split; [apply Z.mul_0_r|reflexivity].
  - unfold cut_S in H. destruct types0 as [|? [|? [|? [|]]]]; try discriminate. destruct (_ && _ && _); [|discriminate].
    injection H as <-. simpl in *. destruct (pair_of pairs n); [discriminate|auto].
  - unfold cut_F in H. cbv zeta in H. destruct (_ && _ && _); [|discriminate]. injection H as <-. cbn [touches opens takes] in *.
    apply orb_false_iff in T. destruct T as [-> ->]. auto.
Qed.
Lemma B1_tree t v : tree_value p m vectors parts hub skips own t = Some v -> v <= parts * total_cost own_entries.
Proof.
  unfold tree_value. destruct (names_of p hub own 0 (instances t)) as [names|] eqn:N; [|discriminate].
  destruct (distinct names) eqn:D; [|discriminate].
  destruct (all_of (inequality_of (k p) own names) (cuts t)) as [known|] eqn:K; [|discriminate].
  pose proof (B1_proper p types hub inc _ _ _ N) as P. apply (B2_node names D P known).
  - intros q Hq. destruct (all_of_in _ _ _ _ _ _ K Hq) as [c [_ Hc]]. split; [|apply (inequality_quiet _ _ _ _ Hc)].
    apply (C_holds (k p) own names taken D) with (c := c); auto.
    + intros n Hn. apply (taken_crowded p types vectors a a_rows a_valid hub skips a_settled inc inc_apart n (P n Hn)).
    + apply (taken_apart types a a_rows inc).
    + intros n i _. apply taken_alike.
    + intros n Hn. apply (taken_chosen p types a a_rows hub inc n (P n Hn)).
  - intros n b _ S. discriminate.
Qed.
Theorem L3_best trees : best p m vectors parts hub skips own trees <= parts * total_cost own_entries.
Proof.
  unfold best. set (v := value _ _ _ _ _ _ _ _ _).
  assert (v <= parts * total_cost own_entries) as V.
  { pose proof (P1_value p types m vectors types_tidy vectors_long a a_rows a_valid parts parts_positive hub skips a_settled inc
      inc_apart price (fun _ _ => false)) as V.
    rewrite (all_false _ (elsewhere _ _ _)) in V by reflexivity. cbn [sum] in V. rewrite Z.add_0_r in V. exact V. }
  assert (forall some, fold_right (fun t b => match tree_value p m vectors parts hub skips own t with Some w => Z.max w b | None => b end) v some
    <= parts * total_cost own_entries) as F.
  { induction some as [|x some IH]; simpl; auto. pose proof (B1_tree x) as B. destruct (tree_value _ _ _ _ _ _ _ x) as [w|]; auto.
    specialize (B w eq_refl). lia. }
  destruct own; [exact V|apply F].
Qed.
End Sound.
