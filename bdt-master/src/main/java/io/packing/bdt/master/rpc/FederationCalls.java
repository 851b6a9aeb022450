// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The calls of a service on mounts that are spread over groups. Thread-safe. */
public interface FederationCalls {
    /** The addresses of each group, by name, the first one first. */
    Map<String, String> groups();

    /** The table of mounts. */
    List<MountEntry> table() throws IOException;

    /**
     * Gives a mount that no group has to a group.
     *
     * @param store where its blobs are
     */
    MountEntry assign(String store, String group) throws IOException;

    /** Reads an entry, or replaces one. */
    Optional<MountEntry> change(String mount, Optional<MountEntry> expected, Optional<MountEntry> next)
            throws IOException;

    /**
     * Returns the progress of a move.
     *
     * @param start whether to begin one when none is under way
     */
    MoveProgress move(String mount, String group, boolean start) throws IOException;

    /** Returns the receiver of a mount that another group sends. */
    Incoming incoming();

    /** The steps of a move at the group that gets the mount. */
    interface Incoming {
        /**
         * Begins.
         *
         * @param identity of the store, as the other group knows it
         * @param encryptionKey empty: the mount is not encrypted
         * @return what the epoch is to say after the switch
         */
        byte[] begin(Step step, Map<String, String> options, String identity, String encryptionKey) throws IOException;

        /** Takes rows, in the form of the log. */
        void rows(Step step, byte[] rows) throws IOException;

        /**
         * Makes the rows so far durable.
         *
         * @param complete whether these are all, up to this position
         */
        void end(Step step, long position, boolean complete) throws IOException;

        /** Opens the mount after the switch. */
        void open(Step step) throws IOException;
    }

    /**
     * A step's identity.
     *
     * @param token the number of the move
     * @param sequence 1 for the first one, and one more for each
     */
    record Step(String mount, long token, long sequence) {}
}
