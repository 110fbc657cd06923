use crate::message::Action;
use crate::rt::grid;

/// Cost of the commands applied within one cell of the [grid]: those of the largest note, or those of a tick of a song
/// with all its voices. The rest waits for the next cell, in order: a bound that does not depend on how a device cuts
/// its blocks.
const BUDGET_PER_CELL: u32 = song::Instrument::MAX_TOGETHER as u32 * COMMAND_COST;

/// Budget cost of most commands.
const COMMAND_COST: u32 = 4;

/// Budget cost of a change of a voice that is found by its note.
const CHANGE_COST: u32 = 1;

/// Budget cost of a command that scans the schedule; a constant, so that rendering does not depend on when commands
/// arrive.
const SCAN_COST: u32 = 8 * COMMAND_COST;

/// The commands that were applied in the present cell of the grid, by their cost.
#[derive(Debug, Default)]
pub(super) struct CommandBudget {
    cell: u64,
    spent: u32,
}

impl CommandBudget {
    pub(super) fn is_spent(&mut self, now: u64) -> bool {
        let cell = grid::cell_of(now);
        if cell != self.cell {
            *self = Self { cell, spent: 0 };
        }
        self.spent >= BUDGET_PER_CELL
    }

    pub(super) fn spend(&mut self, action: &Action) {
        self.spent += match action {
            Action::Withdraw(_) | Action::ReleaseAll => SCAN_COST,
            Action::Change(..) | Action::Alter(..) | Action::Replace(..) => CHANGE_COST,
            Action::Start(_)
            | Action::StartDriven(_)
            | Action::StartFm(_)
            | Action::Release(_)
            | Action::Gain(_)
            | Action::Set(..)
            | Action::Reverb(_)
            | Action::Delay(_)
            | Action::Polyphony(_) => COMMAND_COST,
        };
    }
}
