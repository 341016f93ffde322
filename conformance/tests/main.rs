//! The engines, the ledger and the paper compared.

mod agreement;
mod attack;
mod ledger;
mod paper;
mod theorems;
