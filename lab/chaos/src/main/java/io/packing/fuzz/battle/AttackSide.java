// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.battle;

import java.util.Map;
import java.util.function.LongSupplier;

/** The attackers of one kind with their target system, and the judge of its state. */
public interface AttackSide extends AutoCloseable {
    /** Adds the attackers and the honest users of the system to a battle. */
    void join(Battle battle) throws Exception;

    /** Returns a counter of successful steps for each honest user. */
    Map<String, LongSupplier> honest();

    /** Makes the system take its full resources, before the first count. */
    default void muster() throws Exception {}

    /** Frees the attackers' resources, after their last step. */
    default void retreat() {}

    /** Checks after the battle for harm that no answer shows. */
    void aftermath() throws Exception;

    /** Returns the work of the side so far. */
    AttackTally tally();
}
