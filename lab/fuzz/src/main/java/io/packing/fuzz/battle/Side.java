package io.packing.fuzz.battle;

import java.util.Map;
import java.util.function.LongSupplier;

/** Attackers of one kind with the system that they attack, and the judge of what became of the system. */
public interface Side extends AutoCloseable {
    /** Adds the attackers and the honest users of the system to a battle. */
    void join(Battle battle) throws Exception;

    /** Returns a counter for each honest user: how many of its steps were well until now. */
    Map<String, LongSupplier> honest();

    /** Makes the system take what it takes at most, before what it holds is counted first. */
    default void muster() throws Exception {}

    /** Lets go of what the attackers hold, after their last step. */
    default void retreat() {}

    /** Looks after the battle for harm that no answer shows. */
    void aftermath() throws Exception;

    /** Returns how much the side has done so far. */
    Tally tally();
}
