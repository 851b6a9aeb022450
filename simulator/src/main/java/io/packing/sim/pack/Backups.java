// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import java.util.function.BooleanSupplier;

/** The master's backups of the table (§5.1): whole ones, at intervals if enough has changed, and once at the end. */
final class Backups {
    private final StackOptions.Packing config;
    private final EventQueue agenda;
    private final StoreModel store;
    private final Link link;
    private final PackCounters counters;
    private final BooleanSupplier goesOn;
    private long filesThen;

    /** @param goesOn whether clients still write files */
    Backups(
            StackOptions.Packing config,
            EventQueue agenda,
            StoreModel store,
            Link link,
            PackCounters counters,
            BooleanSupplier goesOn) {
        this.config = config;
        this.agenda = agenda;
        this.store = store;
        this.link = link;
        this.counters = counters;
        this.goesOn = goesOn;
        later();
    }

    private void later() {
        agenda.after(config.backupNanos(), () -> {
            if (goesOn.getAsBoolean()) {
                if (counters.files - filesThen >= config.backupChanges()) {
                    make();
                }
                later();
            }
        });
    }

    /** Begins a backup of the current table. */
    void make() {
        filesThen = counters.files;
        long bytes = Math.round(counters.rows * config.tableBytesPerFile());
        counters.backups++;
        counters.backupBytes += bytes;
        store.request(SimulatedRequestKind.PUT, bytes, link, () -> {});
    }
}
