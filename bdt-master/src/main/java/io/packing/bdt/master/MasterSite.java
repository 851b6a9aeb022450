// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.table.Clocks;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The surroundings of a master: its stores, its clocks, and its group.
 *
 * @param allowed which {@link BdtMaster#allow} changes, and the stores look at
 * @param group whose member the master is. It is closed with the master, which answers while it leads the group
 */
public record MasterSite(
        AtomicReference<AllowedStores> allowed, Stores stores, Clocks clocks, Optional<MasterGroup> group) {
    /** Returns the real stores that a configuration allows, for a master without a group. */
    public static MasterSite standard(BdtMasterOptions config) throws IOException {
        AtomicReference<AllowedStores> allowed = new AtomicReference<>(config.stores());
        Stores stores = Stores.standard(allowed::get, config.access());
        return new MasterSite(allowed, stores, realClocks(), Optional.empty());
    }

    /** Returns the surroundings of a member of a group. */
    public static MasterSite ofMember(AtomicReference<AllowedStores> allowed, Stores stores, MasterGroup group) {
        return new MasterSite(allowed, stores, realClocks(), Optional.of(group));
    }

    /** Returns stores of a caller's own, for a master without a group. */
    static MasterSite of(BdtMasterOptions config, Stores stores, Clocks clocks) {
        return new MasterSite(new AtomicReference<>(config.stores()), stores, clocks, Optional.empty());
    }

    static Clocks realClocks() {
        return new Clocks(Clock.systemUTC(), System::nanoTime);
    }
}
