//! Files, TCP, signals and abstract sockets (landlock(7)): what is not named here is denied.

use crate::options::Options;
use crate::system::Outcome;
use landlock::{
    path_beneath_rules, Access, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope, ABI,
};

/// The newest version that is known here; an older kernel enforces what it has.
const NEWEST: ABI = ABI::V9;

/// Opens the paths, which a later step may hide. A path that does not exist gives no right.
pub fn ruleset(options: &Options) -> Outcome<RulesetCreated> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let execute = AccessFs::ReadFile | AccessFs::Execute;
    let build = || {
        Ruleset::default()
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?
            .add_rules(path_beneath_rules(&options.read, read))?
            .add_rules(path_beneath_rules(&options.execute, execute))?
            // Not listed: the program is given the name of its document.
            .add_rules(path_beneath_rules(&options.documents, AccessFs::ReadFile))
    };
    build().map_err(|error| format!("the Landlock ruleset could not be made: {error}"))
}

/// The version of Landlock that is enforced; 0 for none.
pub fn restrict(ruleset: RulesetCreated) -> Outcome<u32> {
    let status = ruleset
        .restrict_self()
        .map_err(|error| format!("Landlock could not be enforced: {error}"))?;
    Ok(match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => 0,
        (_, LandlockStatus::Available { effective_abi, .. }) => effective_abi as u32,
        _ => 0,
    })
}
