//! The accountant's answers, by topic.

mod calibration;
mod certificates;
mod coalitions;
mod masks;
mod noise;
mod participation;
mod sampling;
mod schedules;
mod sums;
mod system;
mod time;
