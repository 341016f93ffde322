(* The absorption bound (SPEC 13), its deterministic part: two runs on data that differ at some nodes, whose steps are
   Lipschitz maps of any normed space, can be made equal for the observers by shifting draws. Each shift is a function of earlier
   draws, and no longer than was fixed in advance. What such shifts cost is adaptive composition of Gaussians, a hypothesis here. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Absorption.

Variables (R : realFieldType) (X : lmodType R) (norm : X -> R) (n : nat).

(* A norm. *)
Hypothesis norm_triangle : forall x y, norm (x + y) <= norm x + norm y.
Hypothesis norm_scaled : forall a x, norm (a *: x) = `|a| * norm x.
Hypothesis norm_is_zero_only_at_zero : forall x, norm x = 0 -> x = 0.

Notation vectors := {ffun 'I_n -> X}.
Notation draws := (nat -> vectors).

(* The protocol. At time t node w has the state: an offset and a combination of everything that was sent before, with the
   weights mix t s w j (plain gossip: mix t.+1 t = W_t; accelerated: mix t.+1 t = g W_t and mix t.+1 t.-1 = (1 - g) I). *)
Variables (offset : nat -> 'I_n -> X) (mix : nat -> nat -> 'I_n -> 'I_n -> R).

(* Who observes, who speaks to an observer at time t, and what observers send: any function of what they have seen. *)
Variables (observer : pred 'I_n) (speaks : nat -> pred 'I_n).
Variable strategy : 'I_n -> seq (vectors * vectors) -> X.

(* A run: what was sent, and what the observers have seen (messages to them, and draws of their own). *)
Notation history := (seq vectors * seq (vectors * vectors))%type.
Implicit Types (F : nat -> 'I_n -> X -> X) (h : history) (omega : draws).

Definition state h (w : 'I_n) : X :=
  let t := size h.1 in offset t w + \sum_(s < t) \sum_j mix t s w j *: nth 0 h.1 s j.

(* Node w applies its step F t w to its state ... *)
Definition arrived F h : vectors := [ffun w => F (size h.1) w (state h w)].

(* ... adds its draw, and sends; observers hear those who speak to them, and send what they like. *)
Definition advance F (draw : vectors) h : history :=
  let honest := arrived F h + draw in
  let heard := [ffun w => if speaks (size h.1) w && ~~ observer w then honest w else 0] in
  let own := [ffun w => if observer w then draw w else 0] in
  let seen := rcons h.2 (heard, own) in
  (rcons h.1 [ffun w => if observer w then strategy w seen else honest w], seen).

Fixpoint run F omega (t : nat) : history :=
  if t is r.+1 then advance F (omega r) (run F omega r) else ([::], [::]).

(* All that the observers see in T steps. *)
Definition view F omega (T : nat) : seq (vectors * vectors) := (run F omega T).2.

(* A plan: numbers fixed in advance. With c the Lipschitz constants and jump how far the data move a step: at most dev deviates
   before the step at t, at most arr after it, z is absorbed, and at most rest is left: nothing where it would be heard. *)
Record plan (c jump dev arr z rest : nat -> 'I_n -> R) : Prop := Plan {
  lipschitz_is_nonnegative : forall t w, 0 <= c t w;
  absorbed_is_nonnegative : forall t w, 0 <= z t w;
  rest_is_nonnegative : forall t w, 0 <= rest t w;
  rest_is_mixed : forall t w, ~~ observer w -> \sum_(s < t) \sum_j `|mix t s w j| * rest s j <= dev t w;
  deviation_arrives : forall t w, ~~ observer w -> c t w * dev t w + jump t w <= arr t w;
  rest_is_left : forall t w, ~~ observer w -> arr t w - z t w <= rest t w;
  nothing_is_heard : forall t w, speaks t w -> ~~ observer w -> rest t w = 0 }.

Definition lipschitz (c : nat -> 'I_n -> R) F : Prop :=
  forall t w x y, ~~ observer w -> norm (F t w x - F t w y) <= c t w * norm (x - y).

(* The two runs' data move a step by at most jump, at any point. *)
Definition close (jump : nat -> 'I_n -> R) F1 F2 : Prop :=
  forall t w x, ~~ observer w -> norm (F1 t w x - F2 t w x) <= jump t w.

(* A shift that depends on earlier draws alone. *)
Definition predictable (shift : draws -> draws) : Prop :=
  forall omega omega' t, (forall s, (s < t)%N -> omega s = omega' s) -> shift omega t = shift omega' t.

Definition shifted (shift : draws -> draws) omega : draws := fun t => omega t + shift omega t.

(* The part of a difference, at most z long, that is absorbed. *)
Definition toward (z : R) (x : X) : X := if norm x <= z then x else (z / norm x) *: x.

Lemma norm0 : norm 0 = 0.
Proof. by rewrite -(scale0r 0) norm_scaled normr0 mul0r. Qed.

Lemma normN x : norm (- x) = norm x.
Proof. by rewrite -scaleN1r norm_scaled normrN1 mul1r. Qed.

Lemma norm_ge0 x : 0 <= norm x.
Proof.
have := norm_triangle x (- x); rewrite subrr norm0 normN -mulr2n -mulr_natl.
by rewrite pmulr_rge0 // ltr0n.
Qed.

Lemma norm_sum (I : finType) (f : I -> X) : norm (\sum_i f i) <= \sum_i norm (f i).
Proof.
elim/big_rec2: _ => [|i y x _ le]; first by rewrite norm0.
by apply: le_trans (norm_triangle _ _) _; rewrite ler_add2l.
Qed.

Lemma toward_short z x : 0 <= z -> norm (toward z x) <= z.
Proof.
move=> z0; rewrite /toward; case: (leP (norm x) z) => // big.
have x0 : 0 < norm x by exact: (le_lt_trans z0 big).
by rewrite norm_scaled ger0_norm ?divr_ge0 ?norm_ge0 // divfK // gt_eqF.
Qed.

Lemma toward_rest z rest x : 0 <= z -> 0 <= rest -> norm x - z <= rest -> norm (x - toward z x) <= rest.
Proof.
move=> z0 r0 le; rewrite /toward; case: (leP (norm x) z) => [_|big]; first by rewrite subrr norm0.
have x0 : 0 < norm x by exact: (le_lt_trans z0 big).
have -> : x - (z / norm x) *: x = (1 - z / norm x) *: x by rewrite scalerBl scale1r.
rewrite norm_scaled ger0_norm; last by rewrite subr_ge0 ler_pdivr_mulr // mul1r ltW.
by rewrite mulrBl mul1r divfK ?gt_eqF.
Qed.

Lemma norm_small x : norm x <= 0 -> x = 0.
Proof. by move=> le; apply: norm_is_zero_only_at_zero; apply/le_anti; rewrite le norm_ge0. Qed.

Section TwoRuns.

Variables (F1 F2 : nat -> 'I_n -> X -> X) (c jump dev arr z rest : nat -> 'I_n -> R).
Hypothesis is_plan : plan c jump dev arr z rest.
Hypothesis F2_is_lipschitz : lipschitz c F2.
Hypothesis data_are_close : close jump F1 F2.

(* The shift of the second run, given both histories. *)
Definition shift_now h1 h2 : vectors :=
  [ffun w => if observer w then 0 else toward (z (size h1.1) w) (arrived F1 h1 w - arrived F2 h2 w)].

Fixpoint coupled omega (t : nat) : history * history :=
  if t is r.+1 then
    let h := coupled omega r in (advance F1 (omega r) h.1, advance F2 (omega r + shift_now h.1 h.2) h.2)
  else (([::], [::]), ([::], [::])).

Definition absorbing_shift omega : draws := fun t => shift_now (coupled omega t).1 (coupled omega t).2.

Lemma coupled_first omega t : (coupled omega t).1 = run F1 omega t.
Proof. by elim: t => //= t ->. Qed.

Lemma coupled_second omega t : (coupled omega t).2 = run F2 (shifted absorbing_shift omega) t.
Proof. by elim: t => //= t <-. Qed.

Lemma absorbing_shift_predictable : predictable absorbing_shift.
Proof.
move=> omega omega' t same; rewrite /absorbing_shift; suff -> : coupled omega t = coupled omega' t by [].
elim: t same => //= t IH same; rewrite IH ?same // => s st; exact: same (ltnW _).
Qed.

(* The two histories are t steps long, equal for the observers, and differ by at most what is left. *)
Definition alike t h1 h2 : Prop :=
  [/\ size h1.1 = t, size h2.1 = t, h1.2 = h2.2 &
      forall s j, (s < t)%N -> norm (nth 0 h1.1 s j - nth 0 h2.1 s j) <= rest s j].

Lemma states_deviate t h1 h2 w : ~~ observer w -> alike t h1 h2 -> norm (state h1 w - state h2 w) <= dev t w.
Proof.
move=> honest [size1 size2 _ near]; rewrite /state size1 size2 opprD addrACA subrr add0r -sumrB.
apply: le_trans (norm_sum _) _; apply: le_trans (rest_is_mixed is_plan t honest).
apply: ler_sum => s _; rewrite -sumrB; apply: le_trans (norm_sum _) _; apply: ler_sum => j _.
by rewrite -scalerBr norm_scaled ler_wpmul2l // near.
Qed.

Lemma arrivals_deviate t h1 h2 w :
  ~~ observer w -> alike t h1 h2 -> norm (arrived F1 h1 w - arrived F2 h2 w) <= arr t w.
Proof.
move=> honest both; have [size1 size2 _ _] := both; rewrite !ffunE size1 size2.
apply: le_trans (deviation_arrives is_plan t honest); rewrite [leRHS]addrC.
rewrite -[F1 t w _](subrK (F2 t w (state h1 w))) -addrA; apply: le_trans (norm_triangle _ _) _.
apply: ler_add; first exact: data_are_close.
apply: le_trans (F2_is_lipschitz _ _ _ honest) _.
by rewrite ler_wpmul2l ?(lipschitz_is_nonnegative is_plan) ?states_deviate.
Qed.

Lemma alike_next t h1 h2 (draw : vectors) : alike t h1 h2 ->
  alike t.+1 (advance F1 draw h1) (advance F2 (draw + shift_now h1 h2) h2).
Proof.
move=> both; have [size1 size2 seen near] := both.
have left w : ~~ observer w ->
    norm ((arrived F1 h1 + draw) w - (arrived F2 h2 + (draw + shift_now h1 h2)) w) <= rest t w.
  move=> honest.
  have -> : (arrived F1 h1 + draw) w - (arrived F2 h2 + (draw + shift_now h1 h2)) w =
      (arrived F1 h1 w - arrived F2 h2 w) - toward (z t w) (arrived F1 h1 w - arrived F2 h2 w).
    rewrite /shift_now !ffunE (negbTE honest) size1 size2.
    by rewrite opprD !opprD !addrA; congr (_ - _); rewrite addrAC addrK.
  apply: toward_rest; rewrite ?(absorbed_is_nonnegative is_plan) ?(rest_is_nonnegative is_plan) //.
  apply: le_trans (rest_is_left is_plan t honest); rewrite ler_add2r; exact: arrivals_deviate.
have same_seen : (advance F1 draw h1).2 = (advance F2 (draw + shift_now h1 h2) h2).2.
  rewrite /advance /= seen size1 size2; congr (rcons _ (_, _)); apply/ffunP=> w; rewrite !ffunE.
    case: ifP => // /andP[sp honest]; apply/eqP; rewrite -subr_eq0; apply/eqP/norm_small.
    have := left w honest; rewrite (nothing_is_heard is_plan sp honest).
    by rewrite !ffunE.
  by case ob: (observer w); rewrite ?addr0.
split; rewrite ?size_rcons ?size1 ?size2 //= => s j.
rewrite !nth_rcons size1 size2 ltnS leq_eqVlt => /orP[/eqP->|st]; last by rewrite st near.
rewrite ltnn eqxx; case ob : (observer j); last by have := left j (negbT ob); rewrite !ffunE ob.
have same := congr1 (strategy j) same_seen; rewrite /advance /= size1 size2 in same.
by rewrite [X in norm (X - _)]ffunE [X in norm (_ - X)]ffunE ob same subrr norm0 (rest_is_nonnegative is_plan).
Qed.

Lemma coupled_alike omega t : alike t (coupled omega t).1 (coupled omega t).2.
Proof. by elim: t => [|t IH] //=; apply: alike_next. Qed.

(* The deterministic part of the absorption bound: the second run with shifted draws looks to the observers like the first.
   Each shift is at most as long as planned, depends on earlier draws alone, and spares the draws of the observers. *)
Theorem shifted_runs_look_the_same : exists shift : draws -> draws,
  [/\ predictable shift,
      forall omega t w, norm (shift omega t w) <= z t w,
      forall omega t w, observer w -> shift omega t w = 0 &
      forall omega T, view F2 (shifted shift omega) T = view F1 omega T].
Proof.
exists absorbing_shift; split=> [|omega t w|omega t w ob|omega T].
- exact: absorbing_shift_predictable.
- have [size1 _ _ _] := coupled_alike omega t; rewrite /absorbing_shift ffunE size1.
  case: ifP => _; first by rewrite norm0 (absorbed_is_nonnegative is_plan).
  exact: toward_short (absorbed_is_nonnegative is_plan t w).
- by rewrite /absorbing_shift ffunE ob.
- by have [_ _ seen _] := coupled_alike omega T; rewrite /view -coupled_first -coupled_second seen.
Qed.

End TwoRuns.

Lemma view_uses_T_draws F omega omega' T :
  (forall t, (t < T)%N -> omega t = omega' t) -> view F omega T = view F omega' T.
Proof.
rewrite /view => same; congr (_.2); elim: T same => //= T IH same.
by rewrite IH ?same // => t tT; apply: same (ltnW _).
Qed.

(* What is taken from the literature: if draws of standard deviation s, shifted by predictable vectors of length at most z, turn g into
   f, the loss of f against g is at most sum z^2/s^2. *)
Definition adaptive_composition (T : nat) (s : nat -> 'I_n -> R)
    (loss : (draws -> seq (vectors * vectors)) -> (draws -> seq (vectors * vectors)) -> R) : Prop :=
  forall f g (shift : draws -> draws) (z : nat -> 'I_n -> R),
    predictable shift -> (forall omega t w, norm (shift omega t w) <= z t w) ->
    (forall t w, s t w = 0 -> z t w = 0) ->
    (forall omega omega', (forall t, (t < T)%N -> omega t = omega' t) -> g omega = g omega') ->
    (forall omega, g (shifted shift omega) = f omega) ->
    loss f g <= \sum_(t < T) \sum_w z t w ^+ 2 / s t w ^+ 2.

(* The absorption bound of SPEC 13, given adaptive composition: for any plan, any Lipschitz steps, whatever observers send. *)
Theorem absorption_bound F1 F2 c jump dev arr z rest T s loss :
  plan c jump dev arr z rest -> lipschitz c F2 -> close jump F1 F2 ->
  (forall t w, s t w = 0 -> z t w = 0) -> adaptive_composition T s loss ->
  loss (view F1 ^~ T) (view F2 ^~ T) <= \sum_(t < T) \sum_w z t w ^+ 2 / s t w ^+ 2.
Proof.
move=> is_plan lip near noise composition.
have [shift [predict short _ same]] := shifted_runs_look_the_same is_plan lip near.
apply: composition predict short noise _ _ => [omega omega' agree|omega]; last exact: same.
exact: view_uses_T_draws.
Qed.

Section Fractions.

Variables (c jump theta : nat -> 'I_n -> R).

(* The numbers of SPEC 13: what is left at each time when the fraction theta is absorbed of what arrives. *)
Definition deviating (left : seq {ffun 'I_n -> R}) (w : 'I_n) : R :=
  \sum_(s < size left) \sum_j `|mix (size left) s w j| * nth 0 left s j.

Definition arriving (left : seq {ffun 'I_n -> R}) (w : 'I_n) : R :=
  c (size left) w * deviating left w + jump (size left) w.

Fixpoint left_over (t : nat) : seq {ffun 'I_n -> R} :=
  if t is r.+1 then
    let left := left_over r in
    rcons left [ffun w => if observer w then 0 else (1 - theta r w) * arriving left w]
  else [::].

Lemma size_left_over t : size (left_over t) = t.
Proof. by elim: t => //= t IH; rewrite size_rcons IH. Qed.

Lemma nth_left_over t s : (s < t)%N -> nth 0 (left_over t) s = nth 0 (left_over s.+1) s.
Proof.
elim: t => // t IH; rewrite ltnS leq_eqVlt => /orP[/eqP->|st] //.
by rewrite -IH //= nth_rcons size_left_over st.
Qed.

Definition fraction_absorbed (t : nat) (w : 'I_n) : R :=
  if observer w then 0 else theta t w * arriving (left_over t) w.

Definition fraction_left (t : nat) (w : 'I_n) : R := nth 0 (left_over t.+1) t w.

Lemma fraction_leftE t w : fraction_left t w = if observer w then 0 else (1 - theta t w) * arriving (left_over t) w.
Proof. by rewrite /fraction_left /= nth_rcons size_left_over ltnn eqxx ffunE. Qed.

(* Any fractions between 0 and 1 that leave nothing where it would be heard are a plan, with z = theta arr. *)
Theorem fractions_are_a_plan :
  (forall t w, 0 <= c t w) -> (forall t w, 0 <= jump t w) -> (forall t w, 0 <= theta t w <= 1) ->
  (forall t w, speaks t w -> ~~ observer w -> fraction_left t w = 0) ->
  plan c jump (fun t => deviating (left_over t)) (fun t => arriving (left_over t)) fraction_absorbed fraction_left.
Proof.
move=> c0 jump0 theta01 heard.
have arriving_ge0 t : (forall s j, (s < t)%N -> 0 <= nth 0 (left_over t) s j) -> forall w, 0 <= arriving (left_over t) w.
  move=> nn w; rewrite addr_ge0 // mulr_ge0 // sumr_ge0 // => s _; rewrite sumr_ge0 // => j _.
  by rewrite mulr_ge0 // nn // -[X in (_ < X)%N]size_left_over.
have nn t s j : (s < t)%N -> 0 <= nth 0 (left_over t) s j.
  elim: t s j => // t IH s j; rewrite ltnS leq_eqVlt => /orP[/eqP->|st].
    rewrite -/(fraction_left t j) fraction_leftE; case: ifP => // _.
    by case/andP: (theta01 t j) => _ le1; rewrite mulr_ge0 ?subr_ge0 // arriving_ge0 // => s' j'; apply: IH.
  by rewrite /= nth_rcons size_left_over st IH.
split=> // [t w|t w|t w ob|t w ob|t w ob].
- rewrite /fraction_absorbed; case: ifP => // _; case/andP: (theta01 t w) => ge0 _.
  by rewrite mulr_ge0 // arriving_ge0 // => s j; apply: nn.
- exact: nn.
- rewrite /deviating size_left_over; apply: ler_sum => s _; apply: ler_sum => j _.
  by rewrite /fraction_left (nth_left_over (ltn_ord s)).
- by rewrite /arriving size_left_over.
- by rewrite fraction_leftE /fraction_absorbed (negbTE ob) mulrBl mul1r.
Qed.

End Fractions.

End Absorption.
