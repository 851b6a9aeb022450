// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.store.ObjectStore;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.util.Optional;

/** Questions to a mount's store about the masters that have had the mount, and the word of a move or an evacuation that is written there. */
public final class MountHolders {
    /** The beginning of a run that a move offers. */
    static final String MOVE = "move-";

    private MountHolders() {}

    /** Writes an epoch of a mount into a store that the mount goes to. It counts when the store of before says that the mount has gone. */
    public static void announce(ObjectStore target, long epoch, LeaseHolder holder) throws IOException {
        new LeaseEpochs(target).write(epoch, holder);
    }

    /** Returns whether the newest epoch in a store says that its mount went to another one, with the number of that evacuation. */
    public static boolean isLeft(ObjectStore objects, long token) throws IOException {
        return newest(objects)
                .filter(holder -> holder.run().equals(runOf(token)))
                .isPresent();
    }

    /** Returns the holder of a mount's newest epoch; empty without one, or if an older version made it. */
    public static Optional<LeaseHolder> newest(ObjectStore objects) throws IOException {
        LeaseEpochs epochs = new LeaseEpochs(objects);
        long newest = epochs.newestFrom(1);
        return newest == 0 ? Optional.empty() : epochs.read(newest).flatMap(LeaseEpochs.Found::holder);
    }

    /** Returns whether a master has ever had the mount of a store. */
    public static boolean isTaken(ObjectStore objects) throws IOException {
        return new LeaseEpochs(objects).newestFrom(1) > 0;
    }

    /** Returns the owner of a moved table, if the newest epoch is still the move's and no master has opened it since. */
    public static Optional<ReadyMount> arrived(StoreAddress store, ObjectStore objects, String instance, long token)
            throws IOException {
        LeaseEpochs epochs = new LeaseEpochs(objects);
        long newest = epochs.newestFrom(1);
        Optional<LeaseHolder> holder =
                newest == 0 ? Optional.empty() : epochs.read(newest).flatMap(LeaseEpochs.Found::holder);
        Optional<StoreIdentity> identity = StoreIdentity.find(objects);
        boolean fits = holder.isPresent()
                && holder.get().instance().equals(instance)
                && holder.get().run().equals(runOf(token));
        return fits ? identity.map(known -> ready(newest, store, known).of(runOf(token))) : Optional.empty();
    }

    /** Returns the run of a move, by its number. */
    static String runOf(long token) {
        return MOVE + "%016x".formatted(token);
    }

    /** Returns the owner of a table with an epoch. */
    static ReadyMount ready(long epoch, StoreAddress store, StoreIdentity identity) {
        return new ReadyMount(epoch, store.location().text(), store.server(), Optional.of(identity.id()));
    }
}
