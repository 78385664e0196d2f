(** The table as a recount sees it, and releases as assignments of level vectors to rows. *)
From Coq Require Import ZArith List Bool Lia Permutation.
From Incrowd Require Import Statement Sums.
Import ListNotations.
Open Scope Z_scope.

(** [T2] A row type: its cells, how many rows have them, its number; and what a certificate says of it: a price and a
    component; [other] are its other columns, where requirements look at them. Nothing rests on the number: a certificate names
    types by it. *)
Record type := Type_ { cells : list cell; count : Z; price : Z; part : Z; place : Z; other : Z }.
Definition expand (types : list type) : list type := flat_map (fun i => repeat i (Z.to_nat (count i))) types.
Definition rows_of (types : list type) : Z := sum (fun i => Z.max 0 (count i)) types.

Lemma sum_expand f types : sum f (expand types) = sum (fun i => Z.max 0 (count i) * f i) types.
Proof.
  induction types as [|i types IH]; simpl; auto. unfold expand in *. simpl. rewrite sum_app, IH. f_equal.
  assert (forall n, sum f (repeat i n) = Z.of_nat n * f i) as ->.
  { induction n as [|n IHn]; [reflexivity|]. cbn [repeat sum]. rewrite IHn. lia. }
  f_equal. lia.
Qed.
Lemma expand_filter b types : expand (filter b types) = filter b (expand types).
Proof.
  unfold expand. induction types as [|i types IH]; simpl; auto. rewrite filter_app, <- IH.
  assert (filter b (repeat i (Z.to_nat (count i))) = if b i then repeat i (Z.to_nat (count i)) else []) as ->.
  { generalize (Z.to_nat (count i)). induction n; simpl; [destruct (b i); auto|].
    rewrite IHn. destruct (b i); auto. }
  destruct (b i); simpl; auto.
Qed.
Lemma in_expand i types : In i (expand types) -> In i types.
Proof. unfold expand. rewrite in_flat_map. intros [x [Hx Hi]]. apply repeat_spec in Hi. now subst. Qed.

(** Equality of vectors and of what is shown. *)
Fixpoint vector_eqb (v u : vector) : bool :=
  match v, u with
  | [], [] => true
  | a :: v', b :: u' => Nat.eqb a b && vector_eqb v' u'
  | _, _ => false
  end.
Fixpoint labels_eqb (s t : list label) : bool :=
  match s, t with
  | [], [] => true
  | a :: s', b :: t' => (a =? b) && labels_eqb s' t'
  | _, _ => false
  end.
Lemma vector_eqb_eq v : forall u, vector_eqb v u = true <-> v = u.
Proof.
  induction v as [|a v IH]; destruct u as [|b u]; simpl; split; intros H; try discriminate; auto.
  - apply andb_prop in H. destruct H as [H1 H2]. apply Nat.eqb_eq in H1. apply IH in H2. congruence.
  - injection H as -> ->. rewrite Nat.eqb_refl. apply IH. reflexivity.
Qed.
Lemma labels_eqb_eq s : forall t, labels_eqb s t = true <-> s = t.
Proof.
  induction s as [|a s IH]; destruct t as [|b t]; simpl; split; intros H; try discriminate; auto.
  - apply andb_prop in H. destruct H as [H1 H2]. apply Z.eqb_eq in H1. apply IH in H2. congruence.
  - injection H as -> ->. rewrite Z.eqb_refl. apply IH. reflexivity.
Qed.
Lemma vector_eqb_refl v : vector_eqb v v = true.
Proof. now apply vector_eqb_eq. Qed.
Lemma labels_eqb_refl s : labels_eqb s s = true.
Proof. now apply labels_eqb_eq. Qed.

Lemma shown_cons l v c r : shown (l :: v) (c :: r) = fst (at_level l c) :: shown v r.
Proof. reflexivity. Qed.
Lemma cost_cons l v c r : cost (l :: v) (c :: r) = snd (at_level l c) + cost v r.
Proof. reflexivity. Qed.

(** An entry of an assignment: a row, by its type, and its vector. Its class: the rows of that vector that show the same. *)
Definition entry : Type := type * vector.
Definition shows (v : vector) (i : type) : list label := shown v (cells i).
Definition pays (v : vector) (i : type) : Z := cost v (cells i).
Definition alike (v : vector) (s : list label) (i : type) : bool := labels_eqb (shows v i) s.
Definition inside (v : vector) (s : list label) (e : entry) : bool := vector_eqb (snd e) v && alike v s (fst e).
Definition total_cost (a : list entry) : Z := sum (fun e => pays (snd e) (fst e)) a.

Lemma inside_true v s e : inside v s e = true <-> snd e = v /\ shows v (fst e) = s.
Proof. unfold inside, alike. rewrite andb_true_iff, vector_eqb_eq, labels_eqb_eq. tauto. Qed.

(** A crowd is as large as its class; an outlier shows stars alone where these are suppressed. *)
Definition outlier (p : policy) (x : list label) : Prop := suppress p = true /\ forall l, In l x -> l = star.
Definition crowd (x : list label) (released : list record) : Z :=
  Z.of_nat (count_occ (list_eq_dec Z.eq_dec) (map fst released) x).
Lemma crowd_class x released : Z.of_nat (length (class_of x released)) = crowd x released.
Proof.
  unfold crowd, class_of. rewrite map_length. f_equal. induction released as [|r released IH]; [reflexivity|].
  cbn [filter map count_occ].
  repeat match goal with |- context [list_eq_dec ?d ?y ?z] => destruct (list_eq_dec d y z) end; try contradiction; cbn [length]; congruence.
Qed.

(** [I1, I2, I5] The rows that a class needs: k, or none where it shows stars alone and outliers are suppressed. *)
Definition stars (s : list label) : bool := forallb (fun l => l =? star) s.
Definition free (p : policy) (s : list label) : bool := suppress p && stars s.
Definition need (p : policy) (s : list label) : Z := if free p s then Z.min 0 (k p) else k p.
Definition valid (p : policy) (vectors : list vector) (a : list entry) : Prop :=
  forall i v, In (i, v) a -> In v vectors /\ need p (shows v i) <= number_of (inside v (shows v i)) a.

Lemma stars_true s : stars s = true <-> forall l, In l s -> l = star.
Proof. unfold stars. rewrite forallb_forall. split; intros H l Hl; apply Z.eqb_eq; auto. Qed.
