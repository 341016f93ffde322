(* A checker of certificates that computes with fractions, and the proof that what it accepts is true (SPEC 12 to 15). *)
From Coq Require Import ZArith QArith Qabs.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Muffliato Require Import gossip leakage refreshed systems absorption fractions protocol runs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition is_zero (q : Q) : bool := Qeq_bool q zero.
Definition square (q : Q) : Q := mul q q.

(* A statement about every time and every place. *)
Definition everywhere (p : protocol) (places : nat) (P : nat -> nat -> bool) : bool :=
  all (fun t => all (P t) (iota 0 places)) (iota 0 (size (steps p))).

Definition total p (places : nat) (f : nat -> nat -> Q) : Q := sum (fun t => sum (f t) places) (size (steps p)).

(* The number of draws at a time. *)
Definition draws p := (nodes p + size (masks p))%N.

Lemma everywhereP p places P : everywhere p places P -> forall (t : 'I_(size (steps p))) (w : 'I_places), P t w.
Proof.
move=> /allP all_t t w; have /all_t/allP all_w : (t : nat) \in iota 0 (size (steps p)) by rewrite mem_iota /=.
by apply: all_w; rewrite mem_iota /=.
Qed.

Lemma meaning_total R p places f :
  meaning R (total p places f) = \sum_(t < size (steps p)) \sum_(w < places) meaning R (f t w).
Proof. by rewrite meaning_sum; apply: eq_bigr => t _; rewrite meaning_sum. Qed.

(* A symmetric table is positive semidefinite: eliminate its first row, and go on with the rest. *)
Fixpoint semidefinite (size : nat) (M : table) : bool :=
  if size is s.+1 then
    let pivot := entry M 0 0 in
    let along := iota 1 s in
    all (fun j => Qeq_bool (entry M 0 j) (entry M j 0)) along &&
    if is_zero pivot then
      all (fun j => is_zero (entry M 0 j)) along && semidefinite s (table_of s (fun i j => entry M i.+1 j.+1))
    else
      Qle_bool zero pivot &&
      semidefinite s (table_of s (fun i j => sub (entry M i.+1 j.+1) (mul (mul (entry M 0 i.+1) (entry M 0 j.+1)) (Qinv pivot))))
  else true.

(* A table that is accepted is positive semidefinite. *)
Theorem accepted_tables_are_semidefinite (R : realFieldType) size M : semidefinite size M ->
  forall x : nat -> R, 0 <= \sum_(i < size) \sum_(j < size) meaning R (entry M i j) * (x i * x j).
Proof.
elim: size M => [|s IH] M /=; first by move=> _ x; rewrite big_ord0.
case/andP=> /allP symmetric rest x.
have inside (j : 'I_s) : j.+1 \in iota 1 s by rewrite mem_iota /= add1n ltnS.
have shift (F : nat -> R) : \sum_(i < s.+1) F i = F 0%N + \sum_(i < s) F i.+1.
  by rewrite big_ord_recl; congr (_ + _).
rewrite (shift (fun i => \sum_(j < s.+1) meaning R (entry M i j) * (x i * x j))).
rewrite (shift (fun j => meaning R (entry M 0 j) * (x 0%N * x j))).
have -> : \sum_(i < s) \sum_(j < s.+1) meaning R (entry M i.+1 j) * (x i.+1 * x j) =
    \sum_(i < s) meaning R (entry M i.+1 0) * (x i.+1 * x 0%N) + \sum_(i < s) \sum_(j < s) meaning R (entry M i.+1 j.+1) * (x i.+1 * x j.+1).
  by rewrite -big_split; apply: eq_bigr => i _; rewrite (shift (fun j => meaning R (entry M i.+1 j) * (x i.+1 * x j))).
set a := meaning R (entry M 0 0); set B := \sum_(i < s) \sum_(j < s) _.
set L := \sum_(j < s) meaning R (entry M 0 j.+1) * x j.+1.
have -> : \sum_(i < s) meaning R (entry M 0 i.+1) * (x 0%N * x i.+1) = x 0%N * L.
  by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite mulrCA.
have -> : \sum_(i < s) meaning R (entry M i.+1 0) * (x i.+1 * x 0%N) = x 0%N * L.
  rewrite mulr_sumr; apply: eq_bigr => j _; rewrite [x j.+1 * _]mulrC mulrCA; congr (_ * (_ * _)).
  exact/esym/meaning_eq/Qeq_bool_eq/symmetric.
case: ifP rest => [/(meaning_zero R) a0 /andP[/allP none /IH {}IH]|/negbT a_not0 /andP[/(meaning_le R) a_ge0 /IH {}IH]].
  have -> : L = 0 by apply: big1 => j _; rewrite (meaning_zero R (none _ (inside j))) mul0r.
  have := IH (fun i => x i.+1); rewrite /a a0 mul0r mulr0 !add0r; congr (0 <= _).
  by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite entry_table_of.
have a_neq0 : a != 0 by apply: contra a_not0 => /eqP/zero_meaning.
have a_gt0 : 0 < a by rewrite lt_def a_neq0 -(meaning0 R).
have -> : B = \sum_(i < s) \sum_(j < s) (meaning R (entry M i.+1 j.+1) -
    meaning R (entry M 0 i.+1) * meaning R (entry M 0 j.+1) / a) * (x i.+1 * x j.+1) + L ^+ 2 / a.
  have -> : L ^+ 2 / a = \sum_(i < s) \sum_(j < s) meaning R (entry M 0 i.+1) * meaning R (entry M 0 j.+1) / a * (x i.+1 * x j.+1).
    rewrite expr2 -mulrA mulr_suml; apply: eq_bigr => i _; rewrite mulrA mulr_sumr mulr_suml; apply: eq_bigr => j _.
    by field.
  rewrite -big_split; apply: eq_bigr => i _; rewrite -big_split; apply: eq_bigr => j _ /=.
  by rewrite -mulrDl subrK.
have -> : forall C, a * (x 0%N * x 0%N) + x 0%N * L + (x 0%N * L + (C + L ^+ 2 / a)) = C + a * (x 0%N + L / a) ^+ 2.
  by move=> C; field.
apply: addr_ge0; last by rewrite mulr_ge0 ?sqr_ge0 // ltW.
have := IH (fun i => x i.+1); congr (0 <= _).
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite entry_table_of meaning_sub !meaning_mul meaning_inv.
Qed.

(* A change of draws for each of several inputs, by which the observers hear the same: an alibi for each. *)
Section Groups.

Variables (p : protocol) (matrices : seq table) (o : sight).

Definition unit_draw (t w : nat) : nat -> nat -> Q := fun r j => if (r == t) && (j == w) then one else zero.

(* The input of u at time t, less the draws: nothing of it is heard, and no draw is changed that is known or has no variance. *)
Definition explains (t u : nat) (zeta : table) : bool :=
  let rows := history p matrices (fun r k => sub (unit_draw t u r k) (entry zeta r k)) (size (steps p)) in
  [&& ~~ known o u,
      everywhere p (nodes p) (fun r w => heard o r w ==> is_zero (message_at p matrices o rows r w)) &
      everywhere p (draws p) (fun r k => known o k || is_zero (variance p r k) ==> is_zero (entry zeta r k))].

Definition product (z z' : table) : Q :=
  total p (draws p) (fun t k => mul (mul (entry z t k) (entry z' t k)) (Qinv (variance p t k))).

Notation alibi_on_file := (nat * nat * table)%type.
Implicit Types (l : seq alibi_on_file).

Definition products l : table :=
  let z i := (nth ((0, 0)%N, [::]) l i).2 in table_of (size l) (fun i j => product (z i) (z j)).

(* What a group loses at most: the sum of all absolute inner products, or of a dual vector. *)
Definition group_cost l : Q :=
  let Q := products l in sum (fun i => sum (fun j => Qabs (entry Q i j)) (size l)) (size l).

Definition check_dual l (lambda : seq Q) : bool :=
  let Q := products l in
  [&& all (Qle_bool zero) lambda, size lambda == size l &
      semidefinite (size l) (table_of (size l) (fun i j => sub (if i == j then nth zero lambda i else zero) (entry Q i j)))].

Definition check_group l (lambda : option (seq Q)) (claim : Q) : bool :=
  all (fun x => explains x.1.1 x.1.2 x.2) l &&
  if lambda is Some given then check_dual l given && Qle_bool (sum (nth zero given) (size l)) claim
  else Qle_bool (group_cost l) claim.

End Groups.

Section GroupsAreSound.

Variables (R : realFieldType) (p : protocol) (o : sight) (s : nat -> nat -> R).
Hypothesis s_are_deviations : deviations_of p s.

Local Notation n := (nodes p).
Local Notation m := (size (masks p)).
Local Notation T := (size (steps p)).
Local Notation A := (view_matrix R p o).

Lemma unit_draws t u : draws_of R p (unit_draw t u) = input_of R p t u.
Proof. by apply/matrixP=> r k; rewrite !mxE /unit_draw; case: (_ && _); rewrite ?meaning1 ?meaning0. Qed.

(* What the checker accepts as a change of draws is an alibi of the input. *)
Theorem checked_draws_are_an_alibi t u zeta : explains p (tables p) o t u zeta ->
  alibi A (mxvec (input_of R p t u)) (mxvec (draws_of R p (entry zeta))).
Proof.
case/and3P=> hidden /everywhereP nothing /everywhereP spared.
apply: same_numbers_are_an_alibi; first exact: numbers_are_linear.
have less : input_of R p t u - draws_of R p (entry zeta) = draws_of R p (fun r k => sub (unit_draw t u r k) (entry zeta r k)).
  by rewrite -unit_draws; apply/matrixP=> r k; rewrite !mxE meaning_sub.
case=> [[r w]|[r k]] /= sees.
  by rewrite less -message_atE //; apply: meaning_zero; have := nothing r w; rewrite sees.
rewrite !mxE (meaning_zero R (_ : is_zero (entry zeta r k))); last by have := spared r k; rewrite /= sees.
rewrite subr0; case: eqP => //= _; case: eqP => //= ku.
by move: hidden; rewrite -ku sees.
Qed.

Lemma sum_over_draws (F : 'I_T -> 'I_(n + m) -> R) :
  \sum_e (mxvec (\matrix_(t, k) F t k)) 0 e = \sum_(t < T) \sum_(k < draws p) F t k.
Proof.
rewrite (reindex _ (curry_mxvec_bij _ _)) /= pair_bigA /=.
by apply: eq_bigr => -[i j] _; rewrite mxvecE mxE.
Qed.

Lemma productE z z' : meaning R (product p z z') =
  \sum_e mxvec (draws_of R p (entry z)) 0 e * mxvec (draws_of R p (entry z')) 0 e / sizes p s 0 e ^+ 2.
Proof.
rewrite meaning_total -sum_over_draws; apply: eq_bigr => e _.
case/mxvec_indexP: e => t k; rewrite !mxvecE !mxE !meaning_mul meaning_inv.
by rewrite s_are_deviations.
Qed.

(* What the checker of groups accepts is true, with a dual vector or without. *)
Theorem accepted_groups_bound_the_leakage l lambda claim (d : nat -> nat -> R) :
  check_group p (tables p) o l lambda claim -> (forall t u, `|d t u| <= 1) ->
  loses_at_most A (sizes p s) (A *m (\sum_(x <- l) d x.1.1 x.1.2 *: mxvec (input_of R p x.1.1 x.1.2))^T) (meaning R claim).
Proof.
case/andP=> ok le small; rewrite (big_nth ((0, 0)%N, [::])) big_mkord.
pose at_place (i : 'I_(size l)) := nth ((0, 0)%N, [::]) l i.
pose zeta i := mxvec (draws_of R p (entry (at_place i).2)).
have accepted i : explains p (tables p) o (at_place i).1.1 (at_place i).1.2 (at_place i).2.
  exact: (all_nthP ((0, 0)%N, [::]) ok).
have explained i := checked_draws_are_an_alibi (accepted i).
have drawn i e : sizes p s 0 e = 0 -> zeta i 0 e = 0.
  case/mxvec_indexP: e => t k; rewrite !mxvecE !mxE => s0; apply: meaning_zero.
  have /and3P[_ _ /everywhereP/(_ t k)] := accepted i; rewrite /= /is_zero (@zero_meaning R (variance p t k)) ?orbT //.
  by rewrite -s_are_deviations s0 expr0n.
have entryE (i j : 'I_(size l)) : meaning R (entry (products p l) i j) = \sum_e zeta i 0 e * zeta j 0 e / sizes p s 0 e ^+ 2.
  by rewrite entry_table_of productE.
case: lambda le => [lambda /andP[/and3P[pos /eqP sizes psd]]|] /(meaning_le R) le; apply: loses_at_most_trans le.
  rewrite meaning_sum; apply: (a_group_loses_at_most_a_dual explained drawn) => [i|i|x]; first exact: small.
    by rewrite -(meaning0 R) meaning_le // (all_nthP zero pos) // sizes.
  pose y (i : nat) : R := if insub i is Some j then x j else 0.
  have yE (i : 'I_(size l)) : y i = x i by rewrite /y valK.
  rewrite -subr_ge0; have := accepted_tables_are_semidefinite psd y; congr (0 <= _).
  have -> : \sum_(i < size l) meaning R (nth zero lambda i) * x i ^+ 2 =
      \sum_(i < size l) \sum_(j < size l) (if i == j then meaning R (nth zero lambda i) else 0) * (x i * x j).
    apply: eq_bigr => i _; rewrite (bigD1 i) //= eqxx big1 ?addr0 ?expr2 // => j ji.
    by rewrite eq_sym (negbTE ji) mul0r.
  rewrite -sumrB; apply: eq_bigr => i _; rewrite -sumrB; apply: eq_bigr => j _.
  rewrite !yE entry_table_of meaning_sub entryE mulrBl [X in _ - X]mulrC; congr (_ - _).
  by rewrite -val_eqE; case: ifP => _; rewrite ?meaning0.
rewrite meaning_sum; apply: loses_at_most_trans (a_group_loses_at_most_its_alibis explained drawn _) _ => [i|]; first exact: small.
apply: ler_sum => i _; rewrite meaning_sum; apply: ler_sum => j _.
by rewrite meaning_abs entryE.
Qed.

End GroupsAreSound.

(* The inputs of a group. A member takes part in the rounds of its phase: a claim is about every assignment of phases. *)
Section Inputs.

Variables (p : protocol) (sources : seq nat).

Definition rounds : nat := (size (steps p) %/ input_every p)%N.
Definition phases : nat := minn (period p) rounds.

Definition protected (phase : nat -> nat) (t w : nat) : bool :=
  [&& is_input p t, w \in sources & ((t %/ input_every p) %% period p == phase w)%N].

Definition inputs (phase : nat -> nat) : seq (nat * nat) :=
  [seq x <- [seq (t, w) | t <- iota 0 (size (steps p)), w <- iota 0 (nodes p)] | protected phase x.1 x.2].

Definition phase_in (assignment : seq nat) (w : nat) : nat := nth 0%N assignment (index w sources).

End Inputs.

(* All lists of k numbers below b, the last of which changes fastest. *)
Fixpoint assignments (b k : nat) : seq (seq nat) :=
  if k is j.+1 then [seq x :: a | x <- iota 0 b, a <- assignments b j] else [:: [::]].

Lemma all_assignments b a : all (fun x => x < b)%N a -> a \in assignments b (size a).
Proof.
elim: a => //= x a IH /andP[xb /IH {}IH]; apply/allpairsPdep; exists x, a; split=> //.
by rewrite mem_iota.
Qed.

(* Check each assignment of phases to the sources, with its place in the list. *)
Definition each_assignment p sources (P : nat -> (nat -> nat) -> bool) : bool :=
  let all_phases := assignments (phases p) (size sources) in
  all (fun i => P i (phase_in sources (nth [::] all_phases i))) (iota 0 (size all_phases)).

Section Changes.

Variables (R : realFieldType) (p : protocol) (sources : seq nat).

Local Notation T := (size (steps p)).

(* Inputs change by d, where they are protected. *)
Definition change (phase : nat -> nat) (d : nat -> nat -> R) : 'rV[R]_(T * (nodes p + size (masks p))) :=
  mxvec (\matrix_(t, w) (if (w < nodes p)%N && protected p sources phase t w then d t w else 0)).

Lemma changeE phase d :
  change phase d = \sum_(x <- inputs p sources phase) d x.1 x.2 *: mxvec (input_of R p x.1 x.2).
Proof.
have unique : uniq (inputs p sources phase) by rewrite filter_uniq // allpairs_uniq ?iota_uniq // => -[t w] [t' w'].
transitivity (mxvec (\sum_(x <- inputs p sources phase) d x.1 x.2 *: input_of R p x.1 x.2)); last first.
  by rewrite linear_sum; apply: eq_bigr => x _; rewrite linearZ.
congr mxvec; apply/matrixP=> t w; rewrite mxE summxE.
have mem : ((t : nat, w : nat) \in inputs p sources phase) = (w < nodes p)%N && protected p sources phase t w.
  rewrite mem_filter andbC; congr (_ && _); apply/allpairsPdep/idP => [[r [j [_]]]|wn].
    by rewrite mem_iota /= add0n => jn [_ ->].
  by exists (t : nat), (w : nat); rewrite !mem_iota /= !add0n.
have term (x : nat * nat) : (d x.1 x.2 *: input_of R p x.1 x.2) t w = if x == (t : nat, w : nat) then d t w else 0.
  case: x => r j; rewrite !mxE xpair_eqE [r == _]eq_sym [j == _]eq_sym /=.
  by case: eqP => [<-|_]; case: eqP => [<-|_] /=; rewrite ?mulr1 ?mulr0.
rewrite (eq_bigr _ (fun x _ => term x)) -big_mkcond /= -mem; case: ifP => inside; last first.
  by rewrite big_seq_cond big1 // => x /andP[xin /eqP same]; rewrite same inside in xin.
by rewrite -big_filter filter_pred1_uniq // big_seq1.
Qed.

(* A phase for each source is one of the assignments. *)
Lemma phase_is_assigned P (phase : nat -> nat) : each_assignment p sources P ->
  (forall u, u \in sources -> (phase u < phases p)%N) ->
  exists i (phase' : nat -> nat), P i phase' /\ forall u, u \in sources -> phase' u = phase u.
Proof.
move=> /allP ok small; set a := [seq phase u | u <- sources].
have inside : a \in assignments (phases p) (size sources).
  by rewrite -(size_map phase sources); apply: all_assignments; apply/allP=> x /mapP[u us ->]; apply: small.
exists (index a (assignments (phases p) (size sources))); exists (phase_in sources a); split=> [|u us].
  by rewrite -{2}(nth_index [::] inside); apply: ok; rewrite mem_iota /= add0n index_mem.
by rewrite /phase_in (nth_map 0%N) ?index_mem // nth_index.
Qed.

Lemma change_ext (phase phase' : nat -> nat) d :
  (forall u, u \in sources -> phase' u = phase u) -> change phase d = change phase' d.
Proof.
move=> same; congr mxvec; apply/matrixP=> t w; rewrite !mxE /protected.
by case ws : ((w : nat) \in sources); rewrite ?andbF //= same.
Qed.

End Changes.

(* The places of known draws: the observers' own, and the masks that they share. *)
Definition known_draw p v (k : nat) : bool :=
  if (k < nodes p)%N then knows v k
  else let ends := nth (0, 0)%N (masks p) (k - nodes p) in (ends.1 \in members v) || (ends.2 \in members v).

(* What observers see: the messages to them, or the sum that each of them learns of those who do not observe. *)
Definition sight_of p v : sight :=
  if learns_sums v then Sight (fun _ w => w \in members v) (known_draw p v) (Some (members v))
  else Sight (speaks p v) (known_draw p v) None.

Section Alibis.

Variables (p : protocol) (v : view_of) (sources : seq nat).

(* Run the input of u at the time start forward: those who speak shift by all that arrives (nobody, if sums are learnt), others by the given
   shifts. The draws and what is left, newest first. Nothing depends on this being right: the draws are checked. *)
Fixpoint completed_alibi (matrices : seq table) (start u : nat) (shifts : entries) (t : nat) : table * table :=
  if t is r.+1 then
    let earlier := completed_alibi matrices start u shifts r in
    let arrived := if r is q.+1 then mixes p matrices q (nth [::] earlier.2 0) (nth [::] earlier.2 1) else [::] in
    let before := mkseq (fun w => add (unit_draw start u r w) (nth zero arrived w)) (nodes p) in
    let shift := mkseq (fun w => if ~~ learns_sums v && speaks p v r w then nth zero before w else lookup shifts r w) (nodes p) in
    (shift :: earlier.1,
     mkseq (fun w => sub (nth zero before w) (nth zero shift w)) (nodes p) :: earlier.2)
  else ([::], [::]).

(* Shifts are given for draws that exist and that the observers do not know, each once. *)
Definition may_shift (shifts : entries) : bool :=
  uniq [seq x.1 | x <- shifts] &&
  all (fun x => [&& (x.1.1 < size (steps p))%N, (x.1.2 < nodes p)%N, ~~ knows v x.1.2 & ~~ is_zero (variance p x.1.1 x.1.2)]) shifts.

(* For each assignment of phases, the shifts for each input, and perhaps a dual vector. *)
Definition check_alibis (runs : seq (seq entries * option (seq Q))) (claim : Q) : bool :=
  let matrices := tables p in
  (size runs == size (assignments (phases p) (size sources))) &&
  each_assignment p sources (fun i phase =>
    let run := nth ([::], None) runs i in
    let expected := inputs p sources phase in
    let draws_for x := rev (completed_alibi matrices x.1.1 x.1.2 x.2 (size (steps p))).1 in
    [&& size run.1 == size expected, all may_shift run.1 &
        check_group p matrices (sight_of p v) [seq (x.1, draws_for x) | x <- zip expected run.1] run.2 claim]).

(* What the checker of alibis accepts is true: in whatever rounds the sources take part and whatever their inputs change by, at most 1
   each, the leakage is at most the claim. *)
Theorem accepted_alibis_bound_the_leakage (R : realFieldType) runs claim phase (s d : nat -> nat -> R) :
  check_alibis runs claim -> deviations_of p s -> (forall u, u \in sources -> (phase u < phases p)%N) -> (forall t u, `|d t u| <= 1) ->
  loses_at_most (view_matrix R p (sight_of p v)) (sizes p s) (view_matrix R p (sight_of p v) *m (change p sources phase d)^T) (meaning R claim).
Proof.
case/andP=> _ each s_ok in_phase small; have [i [phase' [/and3P[/eqP sizes _ ok] same]]] := phase_is_assigned each in_phase.
rewrite (change_ext p d same) changeE; set run := nth _ runs i in sizes ok.
have := accepted_groups_bound_the_leakage s_ok ok small; congr (loses_at_most _ _ (_ *m _^T) _).
by rewrite big_map -[in RHS](@unzip1_zip _ _ (inputs p sources phase') run.1) ?sizes // big_map.
Qed.

End Alibis.

Section Attacks.

Variables (p : protocol) (v : view_of) (sources : seq nat).

Local Notation o := (sight_of p v).

(* A statistic of the view: coefficients of messages, and of draws that the observers know. *)
Definition statistic (matrices : seq table) (messages own : entries) (omega : nat -> nat -> Q) : Q :=
  let rows := history p matrices omega (size (steps p)) in
  add (foldr (fun x s => add (mul x.2 (message_at p matrices o rows x.1.1 x.1.2)) s) zero messages)
      (foldr (fun x s => add (mul x.2 (omega x.1.1 x.1.2)) s) zero own).

(* Whether there are draws at a time. *)
Definition has_draw (t k : nat) : bool := is_input p t || (k < nodes p)%N && (0 < size (fresh_variances p))%N.

(* A source takes part in the rounds of the first change of its input. *)
Definition phase_of (changes : entries) (w : nat) : nat :=
  (((nth (0, 0, zero)%N changes (find (fun x => x.1.2 == w) changes)).1.1 %/ input_every p) %% period p)%N.

Definition in_range (places : nat) (x : nat * nat * Q) : bool := (x.1.1 < size (steps p))%N && (x.1.2 < places)%N.

Definition check_attack (changes messages own : entries) (claim : Q) : bool :=
  let matrices := tables p in
  [&& all (fun x => in_range (nodes p) x && protected p sources (phase_of changes) x.1.1 x.1.2) changes,
      everywhere p (nodes p) (fun t w => Qle_bool (Qabs (lookup changes t w)) one),
      all (fun x => in_range (nodes p) x && heard o x.1.1 x.1.2) messages,
      all (fun x => in_range (draws p) x && known o x.1.2) own,
      [&& all (fun x => has_draw x.1.1 x.1.2) own, uniq [seq x.1 | x <- changes], uniq [seq x.1 | x <- messages] & uniq [seq x.1 | x <- own]] &
      Qle_bool claim (mul (square (statistic matrices messages own (lookup changes)))
        (Qinv (total p (draws p) (fun t k => mul (variance p t k) (square (statistic matrices messages own (unit_draw t k)))))))].

Variable R : realFieldType.

Local Notation n := (nodes p).
Local Notation T := (size (steps p)).

(* The coefficients of a statistic, each with the number that it multiplies. *)
Definition of_message (x : nat * nat * Q) : option (Q * numbers p) :=
  if (insub x.1.1 : option 'I_T, insub x.1.2 : option 'I_n) is (Some t, Some w) then Some (x.2, inl (t, w)) else None.
Definition of_draw (x : nat * nat * Q) : option (Q * numbers p) :=
  if (insub x.1.1 : option 'I_T, insub x.1.2 : option 'I_(n + size (masks p))) is (Some t, Some k) then Some (x.2, inr (t, k)) else None.

Definition terms (messages own : entries) : seq (Q * numbers p) := pmap of_message messages ++ pmap of_draw own.

Lemma terms_are_seen messages own :
  all (fun x => in_range n x && heard o x.1.1 x.1.2) messages -> all (fun x => in_range (draws p) x && known o x.1.2) own ->
  all (fun y => is_seen o y.2) (terms messages own).
Proof.
move=> heard known; rewrite all_cat; apply/andP; split.
  elim: messages heard => //= x l IH /andP[/andP[/andP[tT wn] sp] /IH {}IH].
  have -> : of_message x = Some (x.2, inl (Ordinal tT, Ordinal wn)) by rewrite /of_message !insubT.
  by rewrite /= sp.
elim: own known => //= x l IH /andP[/andP[/andP[tT kn] kd] /IH {}IH].
have -> : of_draw x = Some (x.2, inr (Ordinal tT, Ordinal kn)) by rewrite /of_draw !insubT.
by rewrite /= kd.
Qed.

Lemma statisticE messages own omega :
  all (fun x => in_range n x && heard o x.1.1 x.1.2) messages -> all (fun x => in_range (draws p) x && known o x.1.2) own ->
  meaning R (statistic (tables p) messages own omega) =
  \sum_(y <- terms messages own) meaning R y.1 * number o y.2 (draws_of R p omega).
Proof.
move=> heard known; rewrite /statistic meaning_add big_cat /=; congr (_ + _).
  elim: messages heard => [|x l IH] /=; first by rewrite big_nil meaning0.
  case/andP=> /andP[/andP[tT wn] _] /IH {}IH; 
  have -> : of_message x = Some (x.2, inl (Ordinal tT, Ordinal wn)) by rewrite /of_message !insubT.
  rewrite /= big_cons meaning_add IH meaning_mul; congr (_ * _ + _).
  exact: (message_atE R o omega (Ordinal wn) tT).
elim: own known => [|x l IH] /=; first by rewrite big_nil meaning0.
case/andP=> /andP[/andP[tT kn] _] /IH {}IH; 
have -> : of_draw x = Some (x.2, inr (Ordinal tT, Ordinal kn)) by rewrite /of_draw !insubT.
rewrite /= big_cons meaning_add IH meaning_mul; congr (_ * _ + _).
by rewrite [RHS]mxE.
Qed.

(* What the checker of attacks accepts is true: for some rounds in which the sources take part and some change of their inputs, at most 1
   each, the leakage is at least the claim. *)
Theorem accepted_attacks_are_leakage changes messages own claim : check_attack changes messages own claim ->
  exists phase (d : nat -> nat -> R), (forall (t : 'I_T) (w : 'I_n), `|d t w| <= 1) /\
    forall s, deviations_of p s ->
    loses_at_least (view_matrix R p o) (sizes p s) (view_matrix R p o *m (change p sources phase d)^T) (meaning R claim).
Proof.
case/and5P=> in_sources /everywhereP small heard_ok known_ok /andP[_ /(meaning_le R) le].
exists (phase_of changes), (fun t w => meaning R (lookup changes t w)); split=> [t w|].
  by rewrite -meaning_abs -(meaning1 R) meaning_le ?small.
move=> s s_ok.
have -> : change p sources (phase_of changes) (fun t w => meaning R (lookup changes t w)) = mxvec (draws_of R p (lookup changes)).
  congr mxvec; apply/matrixP=> t w; rewrite !mxE; case: ifP => // safe.
  suff none (l : entries) : all (fun x => in_range n x && protected p sources (phase_of changes) x.1.1 x.1.2) l ->
      meaning R (lookup l t w) = 0 by rewrite (none _ in_sources).
  elim: l => [|x l IH] /=; first by rewrite meaning0.
  case/andP=> /andP[/andP[_ inside] ok] /IH {}IH; case: ifP => // /andP[/eqP xt /eqP xw].
  by move: safe; rewrite -xt -xw inside ok.
pose f omega := \sum_(y <- terms messages own) meaning R y.1 * number o y.2 omega : R.
have f_linear : scalar f by apply: combinations_are_linear; exact: numbers_are_linear.
have [c is_c] : exists c, c *m view_matrix R p o = coefficients f.
  exact: (@combinations_are_observed R T _ _ (is_seen o) (@number R p o) _ _ (fun y => meaning R y.1) snd (terms_are_seen heard_ok known_ok)).
move=> zeta moved; apply: le_trans le (le_trans _ (a_statistic_is_lost_at_least c moved)).
rewrite meaning_mul meaning_inv le_eqVlt; apply/orP; left; apply/eqP; congr (_ / _).
  by rewrite meaning_mul statisticE // mulmxA is_c -/(dot _ _) coefficientsE // expr2.
rewrite is_c meaning_total -sum_over_draws; apply: eq_bigr => e _.
case/mxvec_indexP: e => t k; rewrite !mxvecE !mxE s_ok !meaning_mul statisticE // unit_draws expr2.
suff -> : input_of R p t k = delta_mx t k by [].
by apply/matrixP=> i j; rewrite !mxE !val_eqE.
Qed.

End Attacks.

Section AbsorptionOnFile.

Variables (p : protocol) (observers sources : seq nat) (phase : nat -> nat) (constants : seq Q) (fractions : entries).

(* How much a step can stretch a deviation: the constant of the node at inputs, 1 at other times. *)
Definition stretch (t w : nat) : Q := if is_input p t then nth one constants w else one.

Definition arrives (deviating : seq Q) (t w : nat) : Q :=
  add (mul (stretch t w) (nth zero deviating w)) (if protected p sources phase t w then one else zero).

Definition absorbs (deviating : seq Q) (t w : nat) : Q :=
  if w \in observers then zero else mul (lookup fractions t w) (arrives deviating t w).

Definition leaves (deviating : seq Q) (t w : nat) : Q :=
  if w \in observers then zero else mul (sub one (lookup fractions t w)) (arrives deviating t w).

(* What deviates at time t, from what was left before, newest first. *)
Definition deviates (matrices : seq table) (t : nat) (left : seq (seq Q)) : seq Q :=
  if t is r.+1 then
    let mixed := apply (nodes p) (map (map Qabs) (nth [::] matrices r)) (nth [::] left 0) in
    mkseq (fun w => add (mul (Qabs (gain p r)) (nth zero mixed w)) (mul (Qabs (kept p r)) (nth zero (nth [::] left 1) w))) (nodes p)
  else [::].

Fixpoint left_on_file (matrices : seq table) (t : nat) : seq (seq Q) :=
  if t is r.+1 then
    let left := left_on_file matrices r in
    let deviating := deviates matrices r left in
    mkseq (leaves deviating r) (nodes p) :: left
  else [::].

Definition check_fractions (claim : Q) : bool :=
  let matrices := tables p in
  let all_left := left_on_file matrices (size (steps p)) in
  let rows := mkseq (fun t => deviates matrices t (drop (size (steps p) - t) all_left)) (size (steps p)) in
  let deviating t := nth [::] rows t in
  let v := ViewOf observers true false in
  [&& all (Qle_bool zero) constants,
      everywhere p (nodes p) (fun t w => Qle_bool zero (lookup fractions t w) && Qle_bool (lookup fractions t w) one),
      everywhere p (nodes p) (fun t w => speaks p v t w ==> is_zero (leaves (deviating t) t w)),
      everywhere p (nodes p) (fun t w => is_zero (variance p t w) ==> is_zero (absorbs (deviating t) t w)) &
      Qle_bool (total p (nodes p) (fun t w => mul (square (absorbs (deviating t) t w)) (Qinv (variance p t w)))) claim].

End AbsorptionOnFile.

Section AbsorptionIsSound.

Variables (R : realFieldType) (p : protocol) (observers sources : seq nat) (phase : nat -> nat) (constants : seq Q) (fractions : entries).

Local Notation n := (nodes p).
Local Notation T := (size (steps p)).
Local Notation v := (ViewOf observers true false).

(* The protocol of absorption.v: gossip with the matrices of the file, accelerated within a round. *)
Definition mix_on_file (t s : nat) (w j : 'I_n) : R :=
  if t == s.+1 then meaning R (gain p s) * matrix_at R p s w j
  else if t == s.+2 then meaning R (kept p s.+1) * (w == j)%:R else 0.
Definition speaks_on_file (t : nat) (w : 'I_n) : bool := speaks p v t w.
Definition observes (w : 'I_n) : bool := (w : nat) \in observers.
Definition constant_on_file (t : nat) (w : 'I_n) : R := meaning R (stretch p constants t w).
Definition jump_on_file (t : nat) (w : 'I_n) : R := (protected p sources phase t w)%:R.

Let theta (t : nat) (w : 'I_n) : R := if (t < T)%N then meaning R (lookup fractions t w) else 0.
Let left := left_over mix_on_file observes constant_on_file jump_on_file theta.
Let arriving := absorption.arriving mix_on_file constant_on_file jump_on_file.
Let computed := left_on_file p observers sources phase constants fractions (tables p).
Let row t := deviates p (tables p) t (computed t).

Lemma entry_abs (M : seq (seq Q)) i j : entry (map (map Qabs) M) i j = Qabs (entry M i j).
Proof.
rewrite /entry; case: (ltnP i (size M)) => [iM|Mi]; last first.
  by rewrite [nth [::] (map _ _) i]nth_default ?size_map // [nth [::] M i]nth_default // nth_nil.
rewrite (nth_map [::]) //; case: (ltnP j (size (nth [::] M i))) => [jM|Mj]; last first.
  by rewrite [nth zero (map _ _) j]nth_default ?size_map // [nth zero _ j]nth_default.
by rewrite (nth_map zero).
Qed.

Lemma drop_computed t r : (r <= t)%N -> drop (t - r) (computed t) = computed r.
Proof.
move=> le; have [k ->] : exists k, t = (r + k)%N by exists (t - r)%N; rewrite subnKC.
by rewrite addKn; elim: k => [|k IH]; rewrite ?addn0 ?drop0 // addnS.
Qed.

Lemma arrivesE t w : (t < T)%N -> arriving (left t) w = meaning R (arrives p sources phase constants (row t) t w).
Proof.
elim/ltn_ind: t w => t IH w tT; rewrite /arriving /absorption.arriving size_left_over /arrives meaning_add meaning_mul.
congr (_ * _ + _); last by rewrite /jump_on_file; case: protected; rewrite ?meaning1 ?meaning0.
rewrite /deviating size_left_over.
have leftE s (j : 'I_n) : (s < t)%N -> nth 0 (left t) s j = meaning R (leaves p observers sources phase constants fractions (row s) s j).
  move=> st; have sT := ltn_trans st tT; rewrite (nth_left_over _ _ _ _ _ st).
  rewrite -[LHS]/(fraction_left mix_on_file observes constant_on_file jump_on_file theta s j) fraction_leftE /leaves /observes.
  case: ifP => _; first by rewrite meaning0.
  by rewrite meaning_mul meaning_sub meaning1 -IH // /theta sT.
move: (left t) leftE => L leftE; case: t tT leftE {IH} => [|r] tT leftE; first by rewrite big_ord0 nth_nil meaning0.
rewrite /row /deviates nth_mkseq // meaning_add !meaning_mul !meaning_abs big_ord_recr /= addrC; congr (_ + _).
  rewrite nth_mkseq // meaning_sum mulr_sumr; apply: eq_bigr => j _.
  rewrite /mix_on_file eqxx meaning_mul entry_abs meaning_abs normrM -mulrA; congr (_ * (`|_| * _)).
    have -> : nth [::] (tables p) r = table_at p r by rewrite /table_at (set_nth_default [::]) // size_map ltnW.
    by rewrite -tables_are_the_matrices mxE.
  by rewrite leftE // nth_mkseq.
case: r tT leftE => [|q] tT leftE; first by rewrite big_ord0 /computed /= ?nth_nil meaning0 mulr0.
rewrite big_ord_recr big1 ?add0r => [|s _] /=; last first.
  apply: big1 => j _; rewrite /mix_on_file !eqSS; case: eqP => [e|_]; first by have := ltn_ord s; rewrite -e ltnNge leqnSn.
  by case: eqP => [e|_]; [have := ltn_ord s; rewrite -e ltnn | rewrite normr0 mul0r].
rewrite (bigD1 w) //= big1 ?addr0 => [|j jw].
  rewrite /mix_on_file eqSS gtn_eqF // eqxx eqxx mulr1 add0r; congr (_ * _).
  by rewrite leftE // nth_mkseq.
by rewrite /mix_on_file eqSS gtn_eqF // eqxx eq_sym (negbTE jw) mulr0 normr0 mul0r.
Qed.

(* What the checker of absorption accepts is true, for all steps with the given Lipschitz constants in any normed space, whatever
   the observers send, and any loss with adaptive composition. *)
Theorem accepted_absorption_bounds_the_loss (X : lmodType R) (norm : X -> R) offset strategy F1 F2 loss claim s :
  deviations_of p s -> (forall x y, norm (x + y) <= norm x + norm y) -> (forall a x, norm (a *: x) = `|a| * norm x) ->
  (forall x, norm x = 0 -> x = 0) ->
  check_fractions p observers sources phase constants fractions claim ->
  lipschitz norm observes constant_on_file F2 -> close norm observes jump_on_file F1 F2 ->
  adaptive_composition norm T (fun t w => s t w) loss ->
  loss (absorption.view offset mix_on_file observes speaks_on_file strategy F1 ^~ T)
       (absorption.view offset mix_on_file observes speaks_on_file strategy F2 ^~ T) <= meaning R claim.
Proof.
move=> s_ok triangle scaled definite /and5P[c0 /everywhereP theta01 /everywhereP heard /everywhereP noise_needed /(meaning_le R) le].
move=> lip near composition.
have rows t : (t < T)%N -> nth [::] (mkseq (fun t => deviates p (tables p) t (drop (T - t) (computed T))) T) t = row t.
  by move=> tT; rewrite nth_mkseq // drop_computed // ltnW.
pose z := fraction_absorbed mix_on_file observes constant_on_file jump_on_file theta.
have zE t w : (t < T)%N -> z t w = meaning R (absorbs p observers sources phase constants fractions (row t) t w).
  move=> tT; rewrite /z /fraction_absorbed /absorbs /observes; case: ifP => _; first by rewrite meaning0.
  by rewrite meaning_mul -arrivesE // /theta tT.
have late t w : (T <= t)%N -> z t w = 0.
  by move=> Tt; rewrite /z /fraction_absorbed /theta ltnNge Tt mul0r; case: ifP.
have is_plan : plan mix_on_file observes speaks_on_file constant_on_file jump_on_file
    (fun t => deviating mix_on_file (left t)) (fun t => arriving (left t)) z
    (fraction_left mix_on_file observes constant_on_file jump_on_file theta).
  { apply: fractions_are_a_plan => [t w|t w|t w|t w].
  - rewrite /constant_on_file /stretch; case: ifP => _; last by rewrite meaning1 ler01.
    case: (ltnP w (size constants)) => wc; last by rewrite nth_default // meaning1 ler01.
    by rewrite -(meaning0 R) meaning_le // (all_nthP one c0).
  - exact: ler0n.
  - rewrite /theta; case: ltnP => tT; last by rewrite lexx ler01.
    by have /andP[lo hi] := theta01 (Ordinal tT) w; rewrite -{1}(meaning0 R) -(meaning1 R) !meaning_le.
  - rewrite /speaks_on_file => sp ob; case: (ltnP t T) => tT; last first.
      move: sp; rewrite /speaks /step_at nth_default //= => /andP[_ /hasP[]] //.
    have := heard (Ordinal tT) w; rewrite /= sp rows //= => /(meaning_zero R).
    rewrite fraction_leftE /leaves (negbTE ob) -[(w : nat) \in observers]/(observes w) (negbTE ob).
    by rewrite meaning_mul meaning_sub meaning1 -arrivesE // /theta tT. }
have bound := @absorption_bound _ _ _ _ triangle scaled definite offset _ _ _ strategy F1 F2 _ _ _ _ _ _ _ _ _ is_plan lip near.
apply: le_trans (bound _ _ _ _ composition) _ => [t w dev0|].
  case: (ltnP t T) => tT; last exact: late.
  rewrite zE //; apply: meaning_zero; have := noise_needed (Ordinal tT) w.
  by rewrite /= /is_zero (@zero_meaning R (variance p t w)) ?rows // -s_ok dev0 expr0n.
apply: le_trans le; rewrite meaning_total le_eqVlt; apply/orP; left; apply/eqP.
apply: eq_bigr => t _; apply: eq_bigr => w _.
by rewrite zE // rows // !meaning_mul meaning_inv s_ok.
Qed.

End AbsorptionIsSound.

(* Flows along masks, for the round of one input: the amount along each mask, and what leaves through the nodes. *)
Section Flows.

Variables (p : protocol) (v : view_of) (sources : seq nat).

(* The masked states of one input; whatever happens afterwards is computed from them. *)
Definition one_input : protocol :=
  Protocol (nodes p) [:: Network [::] Metropolis] 1 (input_variances p) [::] one 1 (masks p) (mask_variances p) [::].

Definition all_states : sight := Sight (fun _ _ => true) (known_draw p v) None.

(* The draws of a flow, which are checked. *)
Definition draws_of_flow (u : nat) (flow : entries) : table :=
  let along e := let ends := nth (0, 0)%N (masks p) e in sub (lookup flow ends.1 ends.2) (lookup flow ends.2 ends.1) in
  let through w := sub (unit_entry w u) (sum (fun e => mul (mask_end p e w) (along e)) (size (masks p))) in
  [:: mkseq through (nodes p) ++ mkseq along (size (masks p))].

(* Flows go along masks that no observer shares, along each in one direction. *)
Definition may_flow (flow : entries) : bool :=
  uniq [seq (minn x.1.1 x.1.2, maxn x.1.1 x.1.2) | x <- flow] &&
  all (fun x => [&& joins (masks p) x.1.1 x.1.2, x.1.1 \notin members v & x.1.2 \notin members v]) flow.

Definition taking_part (phase : nat -> nat) (round : nat) : seq nat := [seq u <- sources | (round %% period p == phase u)%N].

Definition alibis_of_round (flows : seq entries) (used : seq nat) : seq (nat * nat * table) :=
  [seq (x, draws_of_flow x.2 (nth [::] flows (index x.2 sources))) | x <- inputs one_input used (fun=> 0%N)].

(* For each round, or once for all rounds, a flow for each source. *)
Definition check_flows (given : seq (seq entries)) (claim : Q) : bool :=
  let flows r := nth [::] given (if size given == 1 then 0 else r)%N in
  let matrices := tables one_input in
  [&& (size given == 1)%N || (size given == rounds p),
      all (fun r => (size (flows r) == size sources) && all may_flow (flows r)) (iota 0 (rounds p)) &
      each_assignment p sources (fun _ phase =>
        let alibis r := alibis_of_round (flows r) (taking_part phase r) in
        all (fun r => all (fun x => explains one_input matrices all_states x.1.1 x.1.2 x.2) (alibis r)) (iota 0 (rounds p)) &&
        Qle_bool (sum (fun r => group_cost one_input (alibis r)) (rounds p)) claim)].

(* What the checker of flows accepts is true: the rounds lose numbers that add up to at most the claim, where a round loses what
   observers compute, in any linear way, from its masked states, their own draws and the masks that they share. *)
Theorem accepted_flows_bound_the_leakage (R : realFieldType) given claim phase (s : nat -> nat -> R) :
  check_flows given claim -> deviations_of one_input s -> (forall u, u \in sources -> (phase u < phases p)%N) ->
  exists2 cost : nat -> R, \sum_(r < rounds p) cost r <= meaning R claim &
  forall r (d : nat -> nat -> R) k (computed : 'M[R]_(k, _)), (r < rounds p)%N -> (forall t u, `|d t u| <= 1) ->
  let A := computed *m view_matrix R one_input all_states in
  loses_at_most A (sizes one_input s) (A *m (change one_input (taking_part phase r) (fun=> 0%N) d)^T) (cost r).
Proof.
case/and3P=> _ _ each s_ok in_phase; have [_ [phase' [/andP[/allP ok /(meaning_le R) le] same]]] := phase_is_assigned each in_phase.
pose alibis r := alibis_of_round (nth [::] given (if size given == 1 then 0 else r)%N) (taking_part phase' r).
exists (fun r => meaning R (group_cost one_input (alibis r))); first by move: le; rewrite meaning_sum.
move=> r d k computed rT small A.
have -> : taking_part phase r = taking_part phase' r by apply: eq_in_filter => u us; rewrite same.
have group : check_group one_input (tables one_input) all_states (alibis r) None (group_cost one_input (alibis r)).
  apply/andP; split; last by apply/Qle_bool_iff/Qle_refl.
  by apply: (ok r); rewrite mem_iota.
have [zeta moved most] := accepted_groups_bound_the_leakage s_ok group small.
have [is_moved is_most] := what_is_computed_loses_no_more computed moved most.
exists zeta => //; rewrite is_moved /A -mulmxA changeE; congr (_ *m (_ *m _^T)).
by rewrite big_map.
Qed.

End Flows.

(* What proves a claim, as in the files: for each assignment of phases, alibis for the inputs (by time and node) and perhaps a dual vector;
   an attack by changes of inputs, messages and known draws; Lipschitz constants, and for each assignment (or once for all) fractions
   that absorb; or flows, by round and source. *)
Inductive proof :=
  | Alibis of seq (seq entries * option (seq Q))
  | Attack of entries & entries & entries
  | Absorption of seq Q & seq entries
  | Flows of seq (seq entries).

Record certificate := Certificate {
  on : protocol;
  towards : view_of;
  about : seq nat;
  at_most : bool;
  claim : Q;
  because : proof }.

(* A graph has edges between two different nodes; weights are stochastic; numbers are in their ranges. *)
Definition sensible_edges n (edges : seq (nat * nat)) : bool :=
  all (fun e => [&& e.1 < n, e.2 < n & e.1 != e.2]%N) edges.

Fixpoint sensible_scheme n edges (x : scheme) : bool :=
  match x with Custom weights => check_weights n edges weights | Lazy y => sensible_scheme n edges y | _ => true end.

Definition sensible_step n (x : step) : bool :=
  match x with
  | Network edges weights => sensible_edges n edges && sensible_scheme n edges weights
  | Average u v => sensible_edges n [:: (u, v)]
  end.

Definition sensible_protocol (p : protocol) : bool :=
  [&& (0 < size (steps p))%N, (0 < input_every p)%N, (size (steps p) %% input_every p == 0)%N, (0 < period p)%N,
      all (sensible_step (nodes p)) (steps p), sensible_edges (nodes p) (masks p),
      (size (reaction p) == 0)%N || (size (reaction p) == nodes p),
      all (Qle_bool zero) (input_variances p ++ fresh_variances p ++ mask_variances p) &
      Qle_bool one (acceleration p) && Qle_bool (acceleration p) (Qmake 2 1)].

(* At least one source, in increasing order, each a node that does not observe; observers are nodes. *)
Definition sensible (c : certificate) : bool :=
  [&& sensible_protocol (on c), members (towards c) != [::], all (fun v => v < nodes (on c))%N (members (towards c)),
      about c != [::], sorted ltn (about c) &
      all (fun u => (u < nodes (on c))%N && (u \notin members (towards c))) (about c)].

(* For each assignment of phases, or once for all, fractions that absorb; known reactions are within the constants. *)
Definition check_absorption p observers sources (constants : seq Q) (plans : seq entries) (claim : Q) : bool :=
  [&& (size plans == 1)%N || (size plans == size (assignments (phases p) (size sources))),
      all (fun w => Qle_bool (Qabs (nth zero (reaction p) w)) (nth one constants w)) (iota 0 (nodes p)),
      all (fun plan : entries => uniq [seq x.1 | x <- plan] && all (in_range p (nodes p)) plan) plans &
      each_assignment p sources (fun i phase =>
        check_fractions p observers sources phase constants (nth [::] plans (if size plans == 1 then 0 else i)%N) claim)].

Definition check (c : certificate) : bool :=
  sensible c &&
  match because c, at_most c with
  | Alibis runs, true => check_alibis (on c) (towards c) (about c) runs (claim c)
  | Attack changes messages known, false => check_attack (on c) (towards c) (about c) changes messages known (claim c)
  | Absorption constants plans, true => check_absorption (on c) (members (towards c)) (about c) constants plans (claim c)
  | Flows given, true => check_flows (on c) (towards c) (about c) given (claim c)
  | _, _ => false
  end.

(* What a certificate says, whatever roots of the variances the deviations are. For sums, absorption says it of the single messages, which
   tell no less. *)
Definition says (R : realFieldType) (c : certificate) : Prop :=
  let p := on c in
  let T := size (steps p) in
  let seen := view_matrix R p (sight_of p (towards c)) in
  let in_phase phase := forall u, u \in about c -> (phase u < phases p)%N in
  match because c with
  | Alibis _ =>
      forall s phase (d : nat -> nat -> R), deviations_of p s -> in_phase phase -> (forall t u, `|d t u| <= 1) ->
      loses_at_most seen (sizes p s) (seen *m (change p (about c) phase d)^T) (meaning R (claim c))
  | Attack _ _ _ =>
      exists phase (d : nat -> nat -> R), (forall (t : 'I_T) (w : 'I_(nodes p)), `|d t w| <= 1) /\
      forall s, deviations_of p s ->
      loses_at_least seen (sizes p s) (seen *m (change p (about c) phase d)^T) (meaning R (claim c))
  | Absorption constants _ =>
      let who := @observes p (members (towards c)) in
      let view := fun (X : lmodType R) offset => @absorption.view R X (nodes p) offset (@mix_on_file R p) who
        (@speaks_on_file p (members (towards c))) in
      forall s phase (X : lmodType R) (norm : X -> R) offset strategy F1 F2 loss, deviations_of p s -> in_phase phase ->
      (forall x y, norm (x + y) <= norm x + norm y) -> (forall a x, norm (a *: x) = `|a| * norm x) ->
      (forall x, norm x = 0 -> x = 0) ->
      lipschitz norm who (@constant_on_file R p constants) F2 -> close norm who (@jump_on_file R p (about c) phase) F1 F2 ->
      adaptive_composition norm T (fun t w => s t w) loss ->
      loss (view X offset strategy F1 ^~ T) (view X offset strategy F2 ^~ T) <= meaning R (claim c)
  | Flows _ =>
      forall s phase, deviations_of (one_input p) s -> in_phase phase ->
      exists2 cost : nat -> R, \sum_(r < rounds p) cost r <= meaning R (claim c) &
      forall r (d : nat -> nat -> R) k (computed : 'M[R]_(k, _)), (r < rounds p)%N -> (forall t u, `|d t u| <= 1) ->
      let A := computed *m view_matrix R (one_input p) (all_states p (towards c)) in
      loses_at_most A (sizes (one_input p) s) (A *m (change (one_input p) (taking_part p (about c) phase r) (fun=> 0%N) d)^T) (cost r)
  end.

(* The checker is sound: what it accepts is true, over every ordered field. *)
Theorem accepted_certificates_are_true R c : check c -> says R c.
Proof.
case: c => p v sources upper claim why; rewrite /check /says /= => /andP[_].
case: why => [runs|changes messages known|constants plans|given]; case: upper => //= ok.
- by move=> s phase d s_ok in_phase small; apply: accepted_alibis_bound_the_leakage ok s_ok in_phase small.
- exact: accepted_attacks_are_leakage ok.
- move=> s phase X norm offset strategy F1 F2 loss s_ok in_phase triangle scaled definite lip near composition.
  case/and4P: ok => _ _ _ each; have [i [phase' [ok same]]] := phase_is_assigned each in_phase.
  apply: accepted_absorption_bounds_the_loss s_ok triangle scaled definite ok lip _ composition => t w x honest.
  have := near t w x honest; rewrite /jump_on_file /protected.
  by case ws : ((w : nat) \in sources); rewrite ?andbF //= same.
- by move=> s phase s_ok in_phase; apply: accepted_flows_bound_the_leakage ok s_ok in_phase.
Qed.
