(* A checker of flows through masks (SPEC 14), proved sound: a flow bounds what everything that is computed from the masked states tells. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Muffliato Require Import gossip leakage masked fractions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The masks that observers do not share: both ends are others. *)
Definition hidden_masks (masks : seq (nat * nat)) (observers : seq nat) : seq (nat * nat) :=
  [seq m <- masks | (m.1 \notin observers) && (m.2 \notin observers)].

Definition indicator (i j : nat) : Q := if i == j then one else zero.

(* What leaves at node w: the input of u, less what flows away along masks. *)
Definition leaves_at (hidden : seq (nat * nat)) (u : nat) (flow : seq Q) (w : nat) : Q :=
  sub (indicator w u) (sum (fun i =>
    let m := nth (0, 0)%N hidden i in
    mul (nth zero flow i) (sub (indicator w m.1) (indicator w m.2))) (size hidden)).

Definition check_flow n (masks : seq (nat * nat)) (kappa : Q) (observers : seq nat) (u : nat) (flow : seq Q) (claim : Q) : bool :=
  let hidden := hidden_masks masks observers in
  [&& (u < n)%N, u \notin observers, ~~ Qeq_bool kappa zero, size flow == size hidden &
      Qle_bool (add (sum (fun w => mul (leaves_at hidden u flow w) (leaves_at hidden u flow w)) n)
        (mul (sum (fun i => mul (nth zero flow i) (nth zero flow i)) (size hidden)) (Qinv (mul kappa kappa)))) claim].

Section FlowsAreSound.

Variables (R : realFieldType) (n : nat).

(* The masks of a list: 1 at the first end, -1 at the second. *)
Definition mask_matrix (l : seq (nat * nat)) : 'M[R]_(size l, n) :=
  \matrix_(i, w) ((w == (nth (0, 0)%N l i).1 :> nat)%:R - (w == (nth (0, 0)%N l i).2 :> nat)%:R).

Lemma meaning_indicator i j : meaning R (indicator i j) = (i == j)%:R.
Proof. by rewrite /indicator; case: eqP; rewrite ?meaning0 ?meaning1. Qed.

(* What the checker of flows accepts is true: whatever observers compute from the masked states, their own draws and the masks that
   they share tells at most the claim of the input of u. *)
Theorem accepted_flows_bound_the_leakage masks kappa observers (u : 'I_n) flow claim
    e' (shared : 'M[R]_(e', n)) p (computed : 'M[R]_(p, n + (n + e'))) :
  check_flow n masks kappa observers u flow claim ->
  leakage (computed *m all_that_observers_see (meaning R kappa) (mask_matrix (hidden_masks masks observers)) shared
    (fun w => (w : nat) \in observers)) (inputs _ (delta_mx 0 u)) <= meaning R claim.
Proof.
set l := hidden_masks masks observers; case/and5P=> _ outside kappa0 _ /(meaning_le R) le.
have apart i (v : 'I_n) : (v : nat) \in observers -> mask_matrix l i v = 0.
  move=> ov; have : nth (0, 0)%N l i \in l by rewrite mem_nth.
  rewrite mem_filter => /andP[/andP[o1 o2] _]; rewrite mxE.
  have /negbTE-> : (v : nat) != (nth (0, 0)%N l i).1 by apply: contraNneq o1 => <-.
  have /negbTE-> : (v : nat) != (nth (0, 0)%N l i).2 by apply: contraNneq o2 => <-.
  by rewrite subrr.
apply: le_trans (@masked_bound_for_one_source R n _ e' (meaning R kappa) (mask_matrix l) shared _ p computed u apart outside) _.
have k0 : meaning R kappa != 0 by apply: contra kappa0 => /eqP/zero_meaning.
rewrite -masked_leakage_of_one_input; pose phi : 'rV[R]_(size l) := \row_i meaning R (nth zero flow i).
apply: le_trans (every_flow_bounds_the_leakage _ _ phi k0) _; apply: le_trans le.
rewrite meaning_add meaning_mul meaning_inv meaning_mul !meaning_sum /flow_cost !energyE -expr2.
rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (_ + _ / _); apply: eq_bigr => i _.
  rewrite meaning_mul -expr2; congr (_ ^+ 2).
  rewrite meaning_sub meaning_indicator meaning_sum !mxE eqxx; congr (_ - _); apply: eq_bigr => j _.
  by rewrite !mxE meaning_mul meaning_sub !meaning_indicator.
by rewrite mxE meaning_mul expr2.
Qed.

End FlowsAreSound.

Local Open Scope nat_scope.

Definition ring_of_four := [:: (0, 1); (1, 2); (2, 3); (3, 0)].

(* On a ring of four with kappa = 1, of which 0 observes: its neighbour loses at most 5/8, the farthest node at most 1/2. *)
Theorem flows_on_a_ring_are_accepted :
  check_flow 4 ring_of_four (Qmake 1 1) [:: 0] 1 [:: Qmake 3 8; Qmake 1 8] (Qmake 5 8) &&
  check_flow 4 ring_of_four (Qmake 1 1) [:: 0] 2 [:: Qmake (-1) 4; Qmake 1 4] (Qmake 1 2).
Proof. by vm_compute. Qed.

(* A smaller claim, another flow, an observer as source, a flow along a shared mask, no masks at all: refused. *)
Theorem other_flows_are_refused :
  ~~ [|| check_flow 4 ring_of_four (Qmake 1 1) [:: 0] 1 [:: Qmake 3 8; Qmake 1 8] (Qmake 62 100),
         check_flow 4 ring_of_four (Qmake 1 1) [:: 0] 2 [:: Qmake 1 4; Qmake 1 4] (Qmake 1 2),
         check_flow 4 ring_of_four (Qmake 1 1) [:: 0] 0 [:: Qmake 0 1; Qmake 0 1] (Qmake 1 1),
         check_flow 4 ring_of_four (Qmake 1 1) [:: 0] 1 [:: Qmake 1 4; Qmake 1 4; Qmake 1 4; Qmake 1 4] (Qmake 1 1) |
         check_flow 4 ring_of_four (Qmake 0 1) [:: 0] 1 [:: Qmake 3 8; Qmake 1 8] (Qmake 5 8)].
Proof. by vm_compute. Qed.
