// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.store.Homes;
import io.packing.store.HomesStore;
import io.packing.worker.api.PlacedStores;
import java.io.IOException;
import java.util.Map;

/**
 * The places of a mount's blobs, as a worker tells the master which of them it pushes to. A blob whose name is older than the time in a
 * heartbeat may have been pushed to the place of before, by this process or an earlier one. Confined to the heartbeat.
 */
public final class PushPlaces {
    private final HomesStore store;
    private final BdtLookups bdt;
    private final BlobClock clock;
    private Map<String, String> first;
    private long number;
    private long sinceMicros;

    /** @param clock that names the blobs */
    public PushPlaces(HomesStore store, BdtLookups bdt, BlobClock clock) throws IOException {
        this.store = store;
        this.bdt = bdt;
        this.clock = clock;
        Homes now = store.homes();
        this.first = now.places().get(0);
        this.number = now.number();
        this.sinceMicros = number == 0 ? 0 : clock.next();
    }

    /** Returns a heartbeat that says which place the worker pushes to, and since when. */
    Heartbeat signed(Heartbeat heartbeat) {
        return heartbeat.at(number, sinceMicros);
    }

    /** Asks for the places, when the master has others than this worker. */
    void heard(HeartbeatReply reply) throws IOException {
        if (reply.homes() <= number) {
            return;
        }
        PlacedStores.take(store, bdt.homes(true));
        Homes now = store.homes();
        if (!now.places().get(0).equals(first)) {
            // After the store has taken them: a later name means a push to the first place.
            sinceMicros = clock.next();
            first = now.places().get(0);
        }
        number = now.number();
    }
}
