(* The checked whitening (fast/src/gram/whitening.rs): a guess M with M G M^T near the identity determines the forms of G^-1, whoever found it.
   Only the row sums of the absolute values of M G M^T - I have to be known. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Muffliato Require Import gossip leakage.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Whitening.

Variables (R : realFieldType) (n : nat) (E : 'M[R]_n) (eps : R).
Hypothesis E_is_symmetric : E^T = E.
Implicit Types (w x y z : 'rV[R]_n).

Lemma dot_moves x y : dot (x *m E) y = dot x (y *m E).
Proof. by rewrite /dot trmx_mul E_is_symmetric mulmxA. Qed.

(* The form of a symmetric matrix is at most its largest row sum. *)
Theorem forms_are_at_most_row_sums : (forall i, \sum_j `|E i j| <= eps) -> forall x, `|dot (x *m E) x| <= eps * energy x.
Proof.
move=> rows x.
have -> : dot (x *m E) x = \sum_i \sum_j x 0 i * E i j * x 0 j.
  rewrite dotE exchange_big; apply: eq_bigr => j _; rewrite mxE mulr_suml.
  by apply: eq_bigr => i _.
have half i j : `|x 0 i * E i j * x 0 j| <= 2%:R^-1 * (`|E i j| * x 0 i ^+ 2 + `|E j i| * x 0 j ^+ 2).
  have -> : E j i = E i j by rewrite -{1}E_is_symmetric mxE.
  rewrite !normrM -(real_normK (num_real (x 0 i))) -(real_normK (num_real (x 0 j))).
  set a := `|x 0 i|; set b := `|x 0 j|; set c := `|E i j|.
  rewrite -subr_ge0 [X in 0 <= X](_ : _ = 2%:R^-1 * (c * (a - b) ^+ 2)); last by field.
  by rewrite mulr_ge0 ?invr_ge0 ?ler0n // mulr_ge0 ?normr_ge0 // sqr_ge0.
apply: le_trans (ler_norm_sum _ _ _) _.
apply: (@le_trans _ _ (\sum_i \sum_j 2%:R^-1 * (`|E i j| * x 0 i ^+ 2 + `|E j i| * x 0 j ^+ 2))).
  apply: ler_sum => i _; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _; exact: half.
have split : \sum_i \sum_j 2%:R^-1 * (`|E i j| * x 0 i ^+ 2 + `|E j i| * x 0 j ^+ 2) = \sum_i (\sum_j `|E i j|) * x 0 i ^+ 2.
  have one : \sum_i \sum_j `|E i j| * x 0 i ^+ 2 = \sum_i (\sum_j `|E i j|) * x 0 i ^+ 2.
    by apply: eq_bigr => i _; rewrite mulr_suml.
  have two : \sum_i \sum_j `|E j i| * x 0 j ^+ 2 = \sum_i (\sum_j `|E i j|) * x 0 i ^+ 2 by rewrite exchange_big one.
  transitivity (2%:R^-1 * (\sum_i \sum_j `|E i j| * x 0 i ^+ 2 + \sum_i \sum_j `|E j i| * x 0 j ^+ 2)).
    rewrite -big_split mulr_sumr; apply: eq_bigr => i _; rewrite -big_split mulr_sumr; by apply: eq_bigr.
  by rewrite one two; field.
rewrite split energyE mulr_sumr; apply: ler_sum => i _.
by rewrite ler_wpmul2r ?sqr_ge0.
Qed.

Hypothesis eps_is_not_negative : 0 <= eps.
Hypothesis eps_is_below_1 : eps < 1.
Hypothesis forms_are_small : forall x, `|dot (x *m E) x| <= eps * energy x.

(* E shortens by eps at least. *)
Lemma images_are_short x : energy (x *m E) <= eps ^+ 2 * energy x.
Proof.
have [eps0|eps_neq0] := eqVneq eps 0.
  have form0 y : dot (y *m E) y = 0 by apply/eqP; rewrite -normr_le0; have := forms_are_small y; rewrite eps0 mul0r.
  have := form0 (x + x *m E); rewrite mulmxDl dotDl !dotDr (form0 x) (form0 (x *m E)) add0r addr0 (dot_moves (x *m E) x) -mulr2n.
  by move/eqP; rewrite mulrn_eq0 /= => /eqP zero; rewrite eps0 expr0n mul0r /energy zero.
have eps_gt0 : 0 < eps by rewrite lt_def eps_neq0.
have [y is_y] : exists y, y = eps^-1 *: (x *m E) by exists (eps^-1 *: (x *m E)).
have form c : dot ((x + c *: y) *m E) (x + c *: y) = dot (x *m E) x + 2%:R * c * dot (x *m E) y + c ^+ 2 * dot (y *m E) y.
  rewrite mulmxDl -scalemxAl dotDl !dotDr !dotZl !dotZr (dot_moves y x) (dotC y (x *m E)); ring.
have size c : energy (x + c *: y) = energy x + 2%:R * c * dot x y + c ^+ 2 * energy y.
  rewrite /energy dotDl !dotDr !dotZl !dotZr (dotC y x); ring.
have plus := le_trans (ler_norm _) (forms_are_small (x + 1 *: y)).
have minus : - dot ((x + (-1) *: y) *m E) (x + (-1) *: y) <= eps * energy (x + (-1) *: y).
  by apply: le_trans (ler_norm _) _; rewrite normrN.
have := ler_add plus minus; rewrite !form !size.
rewrite [X in X <= _](_ : _ = 4%:R * dot (x *m E) y); last by ring.
rewrite [X in _ <= X](_ : _ = 2%:R * eps * energy x + 2%:R * eps * energy y); last by ring.
have -> : dot (x *m E) y = eps^-1 * energy (x *m E) by rewrite is_y dotZr.
have -> : energy y = eps^-1 ^+ 2 * energy (x *m E) by rewrite is_y /energy dotZl dotZr mulrA expr2.
rewrite -subr_ge0 [X in 0 <= X -> _](_ : _ = 2%:R * eps^-1 * (eps ^+ 2 * energy x - energy (x *m E))); last by field.
by rewrite pmulr_rge0 ?subr_ge0 // mulr_gt0 ?invr_gt0 ?ltr0n.
Qed.

Lemma solutions_are_short w z : w + w *m E = z -> (1 - eps) ^+ 2 * energy w <= energy z.
Proof.
move=> is_z; have [/eqP/energy_eq0-> |w0] := boolP (energy w == 0).
  by rewrite /energy /dot trmx0 mulmx0 mxE mulr0 energy_ge0.
have w_gt0 : 0 < energy w by rewrite lt_def w0 energy_ge0.
have low : (1 - eps) * energy w <= dot w z.
  rewrite -is_z dotDr -/(energy w) mulrBl mul1r ler_add2l -dot_moves.
  by have := forms_are_small w; rewrite ler_norml => /andP[].
have := cauchy_schwarz w z; rewrite -(ler_pmul2l w_gt0 ((1 - eps) ^+ 2 * _)); apply: le_trans.
rewrite [X in X <= _](_ : _ = ((1 - eps) * energy w) ^+ 2); last by ring.
have ge0 : 0 <= (1 - eps) * energy w by rewrite mulr_ge0 ?energy_ge0 // subr_ge0 ltW.
by rewrite ler_sqr // nnegrE (le_trans ge0 low).
Qed.

(* If w solves (I + E) w = z, then w y differs from z y by at most eps / (1 - eps) |z| |y|. *)
Theorem whitened_solutions_are_close w z y : w + w *m E = z ->
  ((1 - eps) * (dot w y - dot z y)) ^+ 2 <= eps ^+ 2 * energy z * energy y.
Proof.
move=> is_z; have -> : dot w y - dot z y = - dot (w *m E) y by rewrite -is_z dotDl opprD addrA subrr add0r.
rewrite mulrN sqrrN exprMn; apply: (@le_trans _ _ ((1 - eps) ^+ 2 * (energy (w *m E) * energy y))).
  by rewrite ler_wpmul2l ?sqr_ge0 // cauchy_schwarz.
rewrite mulrA ler_wpmul2r ?energy_ge0 //.
apply: (@le_trans _ _ ((1 - eps) ^+ 2 * (eps ^+ 2 * energy w))); first by rewrite ler_wpmul2l ?sqr_ge0 ?images_are_short.
by rewrite mulrCA ler_wpmul2l ?sqr_ge0 ?solutions_are_short.
Qed.

(* The defect eps of a guess M proves that G is regular, and the forms of its inverse up to eps / (1 - eps). *)
Theorem a_checked_whitening_gives_the_forms_of_the_inverse (G M : 'M[R]_n) (a b : 'rV[R]_n) : M *m G *m M^T = 1%:M + E ->
  G \in unitmx /\
  ((1 - eps) * ((a *m invmx G *m b^T) 0 0 - dot (a *m M^T) (b *m M^T))) ^+ 2 <= eps ^+ 2 * energy (a *m M^T) * energy (b *m M^T).
Proof.
move=> near; set H := 1%:M + E.
have H_unit : H \in unitmx.
  rewrite -row_free_unit -kermx_eq0; apply/rowV0P=> x /sub_kermxP; rewrite /H mulmxDr mulmx1 => xH.
  apply/energy_eq0/eqP; rewrite eq_le energy_ge0 andbT.
  have := solutions_are_short xH; rewrite [energy 0]/energy /dot mul0mx mxE.
  by rewrite pmulr_rle0 // exprn_gt0 // subr_gt0.
have := H_unit; rewrite /H -near unitmx_mul unitmx_mul => /andP[/andP[M_unit G_unit] _]; split=> //.
pose w := a *m M^T *m invmx H.
have solves : w + w *m E = a *m M^T by rewrite -[X in X + _]mulmx1 -mulmxDr -/H /w mulmxKV.
suff -> : (a *m invmx G *m b^T) 0 0 = dot w (b *m M^T) by exact: whitened_solutions_are_close.
rewrite /dot /w trmx_mul trmxK; congr (_ 0 0).
have -> : invmx H = invmx M^T *m invmx G *m invmx M.
  apply: (can_inj (mulmxK H_unit)); rewrite mulVmx // /H -near !mulmxA mulmxKV // mulmxKV // mulVmx ?unitmx_tr //.
by rewrite !mulmxA mulmxK ?unitmx_tr // mulmxKV.
Qed.

End Whitening.
