(** [V3] Prices under requirements: what a class can add that has its crowd and meets what is asked. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Required Model Reading Walk Dominance Prices Components Runs Meeting Spread.
Import ListNotations.
Open Scope Z_scope.

Section Recount.
Variable p : policy.
Variable m : nat.
Variable vectors : list vector.
Variable parts : Z.
Variable skips : vector -> list type -> bool.
Variable charges : vector -> list type -> list charge.

(** [V7, V8] The largest of what the rows can come to with a crowd alone, of what they come to less the multipliers, and of
    both with as many values as are asked; nothing where no class can be. *)
Definition least_required (n : Z) (term : type -> Z) (G : list type) : Z :=
  fold_right Z.max (least n (terms term G)) (map (fun c => spread_least (fst c) (snd c) n term G) (flat_map several (required p))).
Definition adds_required (g : instance) : Z :=
  let q := parts * paid g in let n := if blank g then 1 else k p in
  let ts := terms (fun i => q - price i) (members g) in
  if existsb (fun x => fst x <? 0) ts then
    if negb (blank g) && few (k p) (members g) then 0 else
    if existsb (hopeless n (members g)) (required p) then 0 else
    let mine := charges (at_vector g) (members g) in
    let plain := least_required n (fun i => q - price i) (members g) in
    let w := match mine with
      | [] => plain
      | _ => Z.max plain (least_required n (fun i => q - price i + sum (fun c => charge_at c (other i)) mine) (members g))
      end in
    if w <? 0 then if negb (blank g) && skips (at_vector g) (members g) then 0 else w else 0
  else 0.
Definition required_value (ts : list type) : Z :=
  sum (fun i => Z.max 0 (count i) * price i) ts
  + sum adds_required (walk (stop p parts price) m vectors (suppress p) 0 [] (decorated ts)).
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
Variable skips : vector -> list type -> bool.
Hypothesis a_settled : forall e, In e a -> free p (shows (snd e) (fst e)) = false ->
  skips (snd e) (group types (snd e) (shows (snd e) (fst e))) = false.
Variable table : list Z.
Definition good (l : list type) : Prop :=
  incl (map other l) table /\ forall q, In q (required p) -> meets table (map other l) q.
Hypothesis a_good : keeps good a.
Variable charges : vector -> list type -> list charge.
Hypothesis charges_relieve : forall v g c, In c (charges v g) -> relieves table (required p) (charge_at c).

Let every (i : type) : bool := true.
Lemma every_row : own_rows a every = a.
Proof. apply all_true. reflexivity. Qed.
Lemma every_type : own_types types every = types.
Proof. apply all_true. reflexivity. Qed.

Lemma not_below term G : existsb (fun x => fst x <? 0) (terms term G) = false -> negative (terms term G) = 0.
Proof.
  intros X. apply sum_zero. intros [d c] Hd. cbn [fst snd]. destruct (Z.ltb_spec d 0); [|rewrite Z.min_l by lia; lia]. exfalso.
  assert (existsb (fun x => fst x <? 0) (terms term G) = true) by (apply existsb_exists; exists (d, c); split; auto; apply Z.ltb_lt; auto).
  congruence.
Qed.
Lemma least_sound n C G term : chosen_from C G -> incl C G -> n <= sum (fun _ => 1) C -> C <> [] ->
  (forall q, In q (required p) -> meets table (map other C) q) -> least_required p n term G <= sum term C.
Proof.
  intros HC I N S M. unfold least_required. apply fold_max_le; [apply P2_least; auto|].
  intros y Hy. apply in_map_iff in Hy. destruct Hy as [[value l] [<- Hy]]. apply in_flat_map in Hy. destruct Hy as [q [Hq Hy]]. cbn [fst snd].
  apply V7_least; auto. eapply several_values; eauto.
Qed.
Lemma V3_class w s z : (forall i, In i (group types w s) -> pays w i = z) ->
  adds_required p parts skips charges (Instance z (free p s) w (group types w s)) <= sum (gap parts price) (class a every w s).
Proof.
  intros Hz. unfold adds_required. cbn [paid blank at_vector members].
  pose proof (class_chosen types a a_rows every w s) as HC. rewrite every_type in HC.
  assert (class a every w s = filter (inside w s) a) as EC by (unfold class; rewrite every_row; reflexivity). rewrite EC in *.
  set (C := filter (inside w s) a) in *. set (G := group types w s) in *.
  set (term := fun i => parts * z - price i). set (relief := fun i => sum (fun c => charge_at c (other i)) (charges w G)).
  assert (forall e, In e C -> In e a /\ snd e = w /\ shows w (fst e) = s) as IC.
  { intros e He. apply filter_In in He. destruct He as [H1 H2]. apply inside_true in H2. tauto. }
  assert (sum (gap parts price) C = sum term (map fst C)) as E.
  { rewrite sum_map. apply sum_eq. intros e He. destruct (IC e He) as [H1 [H2 H3]]. unfold gap, term. rewrite H2, Hz; auto.
    apply filter_In. split; [apply (a_types types a a_rows); exact H1|]. apply labels_eqb_eq. exact H3. }
  rewrite E. clear E. destruct (existsb _ (terms term G)) eqn:X.
  2:{ pose proof (P2_negative term _ _ HC) as L. fold G in L. rewrite (not_below term G X) in L. exact L. }
  assert (C = [] \/ exists e, In e C) as [N|[e He]] by (destruct C; [auto|right; eexists; left; eauto]).
  { rewrite N. cbn [map sum]. destruct (_ && few _ _); [lia|]. destruct (existsb (hopeless _ _) _); [lia|]. cbv zeta.
    match goal with |- context [?w <? 0] => generalize w end. intros worth. destruct (Z.ltb_spec worth 0); [|lia]. destruct (_ && _); lia. }
  destruct (IC e He) as [H1 [H2 H3]]. set (n := if free p s then 1 else k p).
  assert (n <= sum (fun _ => 1) (map fst C)) as Hn.
  { unfold n. destruct (free p s) eqn:F.
    - destruct C as [|x C']; [destruct He|]. cbn [map sum]. pose proof (sum_nonneg _ (fun _ : type => 1) (map fst C')). assert (0 <= sum (fun _ : type => 1) (map fst C')) by (apply H; intros; lia). lia.
    - destruct e as [i v]. cbn [fst snd] in *. subst v. destruct (a_valid i w H1) as [_ V]. rewrite H3 in V. unfold need in V. rewrite F in V.
      eapply Z.le_trans; [exact V|]. unfold number_of, C. rewrite sum_map, sum_filter. apply Z.le_refl. }
  assert (good (map fst C)) as [G1 G2].
  { destruct (a_good w s) as [Nil|Gd]; [fold C in Nil; apply map_eq_nil in Nil; rewrite Nil in He; destruct He|exact Gd]. }
  assert (sum relief (map fst C) <= 0) as R.
  { pose proof (relieves_all table (required p) (charges w G) (charges_relieve w G) _ G1 G2) as Q. rewrite sum_map in Q. exact Q. }
  assert (incl (map fst C) G) as CG.
  { intros i Hi. apply in_map_iff in Hi. destruct Hi as [x [<- Hx]]. destruct (IC x Hx) as [X1 [X2 X3]]. apply filter_In. split.
    - apply (a_types types a a_rows). exact X1.
    - apply labels_eqb_eq. exact X3. }
  assert (map fst C <> []) as Some_ by (destruct C; [destruct He|discriminate]).
  pose proof (least_sound n (map fst C) G term HC CG Hn Some_ G2) as L1.
  pose proof (least_sound n (map fst C) G (fun i => term i + relief i) HC CG Hn Some_ G2) as L2. rewrite sum_add in L2. fold n.
  change (fun i => parts * z - price i + sum (fun c => charge_at c (other i)) (charges w G)) with (fun i => term i + relief i).
  change (fun i => parts * z - price i) with term.
  destruct (negb (free p s) && few (k p) G) eqn:Fw.
  { exfalso. apply andb_prop in Fw. destruct Fw as [F1 F2]. apply negb_true_iff in F1. unfold n in Hn. rewrite F1 in Hn.
    unfold few in F2. apply Z.ltb_lt in F2. specialize (HC (fun _ => 1)). cbn beta in HC. fold G in HC.
    assert (sum (fun i => Z.max 0 (count i) * 1) G = rows_of G) as Ro by (apply sum_eq; intros; lia). rewrite Ro in HC.
    assert (forall i : type, 0 <= 1) as O by lia. specialize (HC O). lia. }
  destruct (existsb (hopeless n G) (required p)) eqn:HL.
  { exfalso. apply existsb_exists in HL. destruct HL as [q [Hq HL]].
    assert (hopeless n G q = false) as K by (eapply V7_hopeless; eauto). congruence. }
  cbv zeta. match goal with |- (if ?w <? 0 then _ else _) <= _ => set (worth := w) end.
  assert (worth <= sum term (map fst C)) as WL.
  { unfold worth. destruct (charges w G); [exact L1|]. apply Z.max_lub; lia. }
  destruct (Z.ltb_spec worth 0); [|lia].
  assert (negb (free p s) && skips w G = false) as ->; [|lia].
  destruct (free p s) eqn:F; auto. simpl. specialize (a_settled e H1). rewrite H2, H3 in a_settled. apply a_settled. exact F.
Qed.

(** [V3] *)
Theorem V3_value : required_value p m vectors parts skips charges types <= parts * total_cost a.
Proof.
  unfold required_value.
  assert (sum (fun i => Z.max 0 (count i) * price i) types = sum (fun e => price (fst e)) a) as ->.
  { pose proof (own_sum types a a_rows every price) as O. rewrite every_row, every_type in O. symmetry. exact O. }
  rewrite (stop_same (stop p parts price)).
  - pose proof (walk_classes p types m vectors types_tidy vectors_long a a_rows every (adds_required p parts skips charges)
      (gap parts price) vectors (incl_refl _)) as W. rewrite every_row, every_type in W.
    assert (filter (fun e => existsb (vector_eqb (snd e)) vectors) a = a) as F.
    { apply all_true. intros [i v] He. destruct (a_valid i v He) as [Hv _]. apply existsb_exists. exists v. split; auto. apply vector_eqb_refl. }
    rewrite F in W. assert (sum (gap parts price) a = parts * total_cost a - sum (fun e => price (fst e)) a) as G.
    { unfold gap, total_cost. rewrite <- sum_mul. clear. induction a; simpl; lia. }
    rewrite G in W. enough (sum (adds_required p parts skips charges) (walk never m vectors (suppress p) 0 [] (decorated types))
      <= parts * total_cost a - sum (fun e => price (fst e)) a) by lia.
    apply W. intros w s z _ Hz _. apply V3_class. exact Hz.
  - intros dark b z z' c g. apply stop_stays. exact parts_positive.
  - intros dark z v ts H. unfold stop in H. unfold adds_required. cbn [paid blank members at_vector].
    destruct (dear price (parts * z) ts) eqn:E.
    + destruct (existsb _ _) eqn:X; auto. exfalso. apply existsb_exists in X. destruct X as [x [Hx L]]. apply in_map_iff in Hx.
      destruct Hx as [i [<- Hi]]. unfold dear in E. rewrite forallb_forall in E. specialize (E i Hi). apply Z.leb_le in E.
      apply Z.ltb_lt in L. cbn in L. lia.
    + destruct dark; [discriminate|]. simpl. rewrite H. destruct (existsb _ _); reflexivity.
  - pose proof (decorated_sane types m types_tidy types (incl_refl _)) as S. exact S.
Qed.
End Sound.
