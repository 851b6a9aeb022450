// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.NotLeaderException;
import io.packing.bdt.master.texts.MasterTexts;
import java.io.IOException;
import java.util.Optional;

/** Masters that have the same tables, of which one answers at a time: as one of them sees the group. Thread-safe. */
public interface MasterGroup extends AutoCloseable {
    /** The tables that all of them have. Only the one that leads opens any. */
    MountTables tables();

    /** Returns the durable token state that all members share. */
    MasterTexts texts();

    /**
     * Returns whether this master leads the group, as far as it knows. A leader begins calls, while {@link #refusal} says whether their
     * answers may be sent. Cheap.
     */
    boolean leads();

    /** Returns the reason that forbids this master to answer now; empty: it may answer. Cheap. */
    Optional<NotLeaderException> refusal();

    /** Runs this whenever this master ceases to lead. */
    void whenNotLeading(Runnable told);

    /**
     * Tells the group that this master serves, and where; from now on it may lead.
     *
     * @param host that it listens on
     */
    void serving(String host, int port) throws IOException;

    /** Why operators must see to this member; empty: it does its part. */
    Optional<String> problem();

    /** Returns the group's state, as this master knows it. Cheap. */
    GroupStanding standing();

    /**
     * The state of a group.
     *
     * @param leads whether this master answers for it
     * @param term counts elections
     * @param applied entries of the log that this master's tables have
     * @param members of the group, this master among them
     * @param silent members that the leader has not heard of for ten leases; 0 as any other sees it
     */
    record GroupStanding(boolean leads, long term, long applied, int members, int silent) {}

    /** Leaves: the others go on. */
    @Override
    void close();
}
