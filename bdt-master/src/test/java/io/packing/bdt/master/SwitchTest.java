// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FencedException;
import io.packing.bdt.master.cloud.LeaseHolder;
import io.packing.bdt.master.cloud.LeaseOptions;
import io.packing.bdt.master.cloud.MountHolders;
import io.packing.bdt.master.cloud.MountLease;
import io.packing.bdt.master.cloud.ReadyMount;
import io.packing.bdt.master.cloud.TakeOvers;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.TreeStore;
import io.packing.sorted.SortedStore;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.ObjectStore;
import io.packing.store.StoreAddress;
import io.packing.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The moment at which a mount goes to another group: the next epoch in the store, which one master makes for the other. */
class SwitchTest {
    private static final StoreAddress STORE = new StoreAddress(new StoreLocation.Bucket("bucket", "p"), "aws");
    private static final long TOKEN = 7;

    private final InMemoryObjectStore stored = new InMemoryObjectStore("s3://bucket/p");
    private final InterruptedObjects objects = new InterruptedObjects(stored);
    private final TakeOvers source = takeOvers("00000000-0000-0000-0000-00000000000a");
    private final TakeOvers target = takeOvers("00000000-0000-0000-0000-00000000000b");

    private static TakeOvers takeOvers(String instance) {
        return new TakeOvers(
                new TakeOvers.Owner(instance, false, instance, run -> run.startsWith(instance)),
                LeaseOptions.USUAL,
                () -> "h:1",
                new Clocks(Clock.systemUTC(), System::nanoTime));
    }

    /** A table on a disk, or none. */
    private record OnDisk(Optional<ReadyMount> ready) implements TakeOvers.LocalTable {
        @Override
        public Path folder() {
            return Path.of("/nowhere");
        }

        @Override
        public SortedStore open() {
            return new TreeStore();
        }

        @Override
        public void mark(ReadyMount ready) {
            // There is no disk.
        }
    }

    private static TakeOvers.Held hold(TakeOvers by, ObjectStore in, Optional<ReadyMount> ready) throws IOException {
        return by.hold("m", STORE, in, new OnDisk(ready));
    }

    @Test
    void afterTheSwitchTheTargetGoesOnAndTheSourceIsFenced() throws IOException {
        MountLease lease = hold(source, objects, Optional.empty()).lease();
        LeaseHolder offer = target.offer(TOKEN);
        lease.handOver(offer);
        assertThat(MountHolders.newest(stored)).contains(offer);
        assertThatThrownBy(lease::check).isInstanceOf(FencedException.class);
        Optional<ReadyMount> arrived = MountHolders.arrived(STORE, stored, offer.instance(), TOKEN);
        assertThat(arrived).isPresent();
        TakeOvers.Held held = hold(target, stored, arrived);
        assertThat(held.local()).isTrue();
        assertThat(held.lease().leaseEpoch()).isEqualTo(lease.leaseEpoch() + 2);
        // From now on it is an epoch as any other.
        assertThat(MountHolders.arrived(STORE, stored, offer.instance(), TOKEN)).isEmpty();
    }

    @Test
    void aSwitchOfWhichTheAnswerWasLostIsFoundWhenItIsRepeated() throws IOException {
        MountLease lease = hold(source, objects, Optional.empty()).lease();
        LeaseHolder offer = target.offer(TOKEN);
        objects.loseNextAnswer();
        assertThatThrownBy(() -> lease.handOver(offer)).isInstanceOf(InterruptedObjects.Injected.class);
        assertThat(lease.lost()).isEmpty();
        lease.handOver(offer);
        assertThat(lease.lost()).isPresent();
        assertThat(MountHolders.newest(stored)).contains(offer);
    }

    @Test
    void aSwitchThatComesTooLateIsRefused() throws IOException {
        TakeOvers.Held first = hold(source, objects, Optional.empty());
        LeaseHolder offer = target.offer(TOKEN);
        // The master restarts in the middle of a move, and opens the mount with an epoch of its own.
        TakeOvers.Held again = hold(source, stored, Optional.of(first.ready()));
        assertThat(again.local()).isTrue();
        assertThat(again.lease().leaseEpoch()).isEqualTo(first.lease().leaseEpoch() + 1);
        assertThatThrownBy(() -> first.lease().handOver(offer)).isInstanceOf(FencedException.class);
        assertThat(MountHolders.arrived(STORE, stored, offer.instance(), TOKEN)).isEmpty();
        again.lease().check();
    }
}
