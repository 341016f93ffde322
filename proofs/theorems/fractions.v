(* Fractions of whole numbers that compute, and what they mean in an ordered field. *)
From Coq Require Import ZArith QArith Qreduction Qabs.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import ssrZ zify.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Sums and products are reduced, so that numbers stay short. *)
Definition zero : Q := Qmake 0 1.
Definition one : Q := Qmake 1 1.
Definition add (a b : Q) : Q := Qred (Qplus a b).
Definition sub (a b : Q) : Q := Qred (Qminus a b).
Definition mul (a b : Q) : Q := Qred (Qmult a b).
Definition inverse_of_nat (k : nat) : Q := if k is k'.+1 then Qmake 1 (Pos.of_succ_nat k') else zero.
Definition sum (f : nat -> Q) (n : nat) : Q := foldr (fun i s => add (f i) s) zero (iota 0 n).

(* Tables of fractions. *)
Notation table := (seq (seq Q)).
Definition entry (M : table) i j := nth zero (nth [::] M i) j.

Section Meaning.

Variable R : realFieldType.

Definition whole (z : Z) : R := (int_of_Z z)%:~R.

(* The number that a fraction stands for. *)
Definition meaning (q : Q) : R := whole (Qnum q) / whole (Zpos (Qden q)).

Lemma wholeD a b : whole (Z.add a b) = whole a + whole b.
Proof. by rewrite /whole -intrD; congr (_%:~R); lia. Qed.

Lemma wholeM a b : whole (Z.mul a b) = whole a * whole b.
Proof. by rewrite /whole -intrM; congr (_%:~R); lia. Qed.

Lemma wholeN a : whole (Z.opp a) = - whole a.
Proof. by rewrite /whole -mulrNz; congr (_%:~R); lia. Qed.

Lemma whole_le a b : (whole a <= whole b) = Z.leb a b.
Proof. by rewrite /whole ler_int; lia. Qed.

Lemma whole_pos p : 0 < whole (Zpos p).
Proof. by rewrite /whole ltr0z; lia. Qed.

Lemma whole_neq0 p : whole (Zpos p) != 0.
Proof. by rewrite gt_eqF ?whole_pos. Qed.

Lemma meaning_eq a b : Qeq a b -> meaning a = meaning b.
Proof.
rewrite /Qeq => /(congr1 whole); rewrite !wholeM => eq.
by apply/eqP; rewrite /meaning eqr_div ?whole_neq0 // eq.
Qed.

Lemma meaning_red q : meaning (Qred q) = meaning q.
Proof. exact: meaning_eq (Qred_correct q). Qed.

Lemma meaning_add a b : meaning (add a b) = meaning a + meaning b.
Proof.
rewrite /add meaning_red /meaning /= addf_div ?whole_neq0 // Pos2Z.inj_mul wholeM.
by rewrite wholeD !wholeM.
Qed.

Lemma meaning_opp a : meaning (Qopp a) = - meaning a.
Proof. by rewrite /meaning /= wholeN mulNr. Qed.

Lemma meaning_sub a b : meaning (sub a b) = meaning a - meaning b.
Proof. by rewrite /sub meaning_red -meaning_red -/(add a (Qopp b)) meaning_add meaning_opp. Qed.

Lemma meaning_mul a b : meaning (mul a b) = meaning a * meaning b.
Proof. by rewrite /mul meaning_red /meaning /= Pos2Z.inj_mul !wholeM mulf_div. Qed.

Lemma meaning0 : meaning zero = 0.
Proof. by rewrite /meaning /= /whole mul0r. Qed.

Lemma meaning1 : meaning one = 1.
Proof. by rewrite /meaning /= divff // whole_neq0. Qed.

Lemma meaning_inverse_of_nat k : meaning (inverse_of_nat k) = k%:R^-1.
Proof.
case: k => [|k] /=; first by rewrite meaning0 invr0.
rewrite /meaning /=; have -> : whole 1 = 1 by [].
by rewrite mul1r; congr (_^-1); rewrite /whole [RHS]pmulrn; congr (_%:~R); lia.
Qed.

Lemma meaning_inv a : meaning (Qinv a) = (meaning a)^-1.
Proof.
case: a => -[|p|p] d; rewrite /meaning /Qinv /=; first by rewrite /whole !mul0r invr0.
  by rewrite invf_div.
by rewrite -[Zneg d]/(Z.opp (Zpos d)) -[Zneg p]/(Z.opp (Zpos p)) !wholeN mulNr invf_div invrN mulrN.
Qed.

Lemma meaning_le a b : Qle_bool a b -> meaning a <= meaning b.
Proof.
rewrite /Qle_bool -whole_le !wholeM => le.
by rewrite /meaning ler_pdivr_mulr ?whole_pos // mulrAC ler_pdivl_mulr ?whole_pos.
Qed.

Lemma meaning_zero a : Qeq_bool a zero -> meaning a = 0.
Proof. by move=> /Qeq_bool_eq /meaning_eq ->; rewrite meaning0. Qed.

Lemma zero_meaning a : meaning a = 0 -> Qeq_bool a zero.
Proof.
move=> /eqP; rewrite mulf_eq0 invr_eq0 (negbTE (whole_neq0 _)) orbF intr_eq0 => /eqP num0.
apply/Qeq_bool_iff; rewrite /Qeq /=; lia.
Qed.

Lemma meaning_abs a : meaning (Qabs a) = `|meaning a|.
Proof.
case: a => num den; rewrite /meaning /= normrM normfV (gtr0_norm (whole_pos den)); congr (_ / _).
by rewrite /whole -intr_norm; congr (_%:~R); lia.
Qed.

Lemma meaning_sum f n : meaning (sum f n) = \sum_(i < n) meaning (f i).
Proof.
rewrite -(big_mkord xpredT (fun i => meaning (f i))) /sum /index_iota subn0.
by elim: (iota 0 n) => [|i s IH] /=; rewrite ?big_nil ?meaning0 // big_cons meaning_add IH.
Qed.

End Meaning.
