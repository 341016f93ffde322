//! The usual protocols at one target, each with the best parameters tried.

use crate::{Account, AccountError, Calibration, Collusion, Designed, MaskSearch, Target};

/// A protocol of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rival {
    /// Noise that is drawn once.
    OneShot,
    /// Fresh noise of the best size.
    Refreshed,
    /// Masks of the best size.
    Masked,
    /// The fresh noise and the masks that were found separately.
    Both,
    /// The best plan, a size for every draw.
    Designed,
}

impl Rival {
    /// All of them, the simplest first.
    pub const ALL: [Self; 5] =
        [Self::OneShot, Self::Refreshed, Self::Masked, Self::Both, Self::Designed];

    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OneShot => "one-shot",
            Self::Refreshed => "refreshed",
            Self::Masked => "masked",
            Self::Both => "both",
            Self::Designed => "designed",
        }
    }

    /// Returns `true` if nodes share secrets.
    pub fn needs_secrets(self) -> bool {
        self >= Self::Masked
    }
}

/// The terms of a comparison.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The protocols that are compared.
    pub rivals: Vec<Rival>,
    /// `true` if nodes share secrets.
    pub secrets: bool,
    /// The graph of the masks, and the number of steps.
    pub masks: MaskSearch,
    /// `true` if a plan is designed however long it takes.
    pub designs_at_any_size: bool,
    /// The gap of the plan to the lower bound at which the search ends.
    pub gap: f64,
    /// The size of coalitions that are examined.
    pub collude: Option<usize>,
}

impl Default for Terms {
    /// Returns the comparison of all protocols with secrets between neighbours.
    fn default() -> Self {
        Self {
            rivals: Rival::ALL.to_vec(),
            secrets: true,
            masks: MaskSearch::default(),
            designs_at_any_size: false,
            gap: 0.01,
            collude: None,
        }
    }
}

/// The calibration of one protocol, or its error.
#[derive(Debug)]
pub struct Compared {
    /// The protocol.
    pub rival: Rival,
    /// The noise that it needs.
    pub found: Result<Calibration, AccountError>,
    /// The losses to coalitions; `None` if they were not asked for, or not finished in time.
    pub collusion: Option<Collusion>,
    /// The plan, if one was designed.
    pub designed: Option<Box<Designed>>,
}

impl Account<'_> {
    /// Calibrates the usual protocols, each with the best parameters tried, on the network of this
    /// one-shot protocol. Those with the smallest expected error come first, and those that were
    /// refused last.
    ///
    /// # Errors
    ///
    /// The first error if no protocol could be calibrated, and errors of coalitions.
    ///
    /// ```
    /// use muffliato_account::{Account, Rival, Target, Terms};
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let protocol = Protocol::one_shot(Network::metropolis("florentine".parse()?)?, 10)?;
    /// let rows = Account::of(&protocol).build()?.compare(&Target::new(1.0, 1e-6), 1.0, &Terms::default())?;
    /// assert_eq!(rows[0].rival, Rival::Designed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(
        &self,
        target: &Target,
        sensitivity: f64,
        terms: &Terms,
    ) -> Result<Vec<Compared>, AccountError> {
        let wants = |rival| terms.rivals.contains(&rival);
        let both = wants(Rival::Both) && terms.secrets;
        let mut rows = Vec::new();
        let mut push = |rival, found| {
            if wants(rival) {
                rows.push(Compared { rival, found, collusion: None, designed: None });
            }
        };
        if wants(Rival::OneShot) {
            push(Rival::OneShot, self.calibrate(target, sensitivity));
        }
        let refreshed =
            (wants(Rival::Refreshed) || both).then(|| self.calibrate_tau(target, sensitivity));
        let masked = ((wants(Rival::Masked) || both) && terms.secrets)
            .then(|| self.calibrate_masks(target, sensitivity, &terms.masks));
        let combined = match (&refreshed, &masked) {
            (Some(refreshed), Some(masked)) if both => {
                self.combined(refreshed, masked, target, sensitivity)
            }
            _ => None,
        };
        let parts =
            [(Rival::Refreshed, refreshed), (Rival::Masked, masked), (Rival::Both, combined)];
        for (rival, found) in parts {
            if let Some(found) = found {
                push(rival, found);
            }
        }
        if wants(Rival::Designed) {
            let (found, designed) = match self.designed(target, sensitivity, terms) {
                Ok(designed) => (Ok(designed.found.clone()), Some(Box::new(designed))),
                Err(error) => (Err(error), None),
            };
            rows.push(Compared { rival: Rival::Designed, found, collusion: None, designed });
        }
        if rows.iter().all(|row| row.found.is_err())
            && let Some(Compared { found: Err(error), .. }) = rows.drain(..).next()
        {
            return self.in_time(self.protocol().nodes(), Err(error));
        }
        if let Some(size) = terms.collude {
            for row in &mut rows {
                if let Ok(found) = &row.found {
                    row.collusion = match self.collusion(size, target, found, sensitivity) {
                        Err(error) if self.is_late(&error) => None,
                        collusion => Some(collusion?),
                    };
                }
            }
        }
        let order = |row: &Compared| match &row.found {
            Ok(found) if found.expected_error.is_some() => (0, found.objective()),
            Ok(found) => (1, found.objective()),
            Err(_) => (2, 0.0),
        };
        rows.sort_by(|a, b| {
            let (a, b) = (order(a), order(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        Ok(rows)
    }

    /// Calibrates the fresh noise and the masks that were found separately; `None` if one of them
    /// was refused.
    fn combined(
        &self,
        refreshed: &Result<Calibration, AccountError>,
        masked: &Result<Calibration, AccountError>,
        target: &Target,
        sensitivity: f64,
    ) -> Option<Result<Calibration, AccountError>> {
        let late = |found: &Result<Calibration, AccountError>| {
            found.as_ref().is_err_and(|error| self.is_late(error))
        };
        if late(refreshed) || late(masked) {
            let of = self.protocol().nodes();
            return Some(Err(AccountError::OutOfTime { done: 0, of }));
        }
        let masked = masked.as_ref().ok()?;
        let tau = refreshed.as_ref().ok()?.sizes().tau?;
        let both = || {
            let both = masked.protocol.clone().refreshed(tau)?;
            self.settings().protocol(&both).build()?.calibrate(target, sensitivity)
        };
        Some(both())
    }
}
