// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import java.util.SplittableRandom;

/** Clients that write one file after the other (§8), and read them again when all are durable. */
final class IngestClients {
    private final StackOptions.Ingest config;
    private final EventQueue agenda;
    private final ClientPath door;
    private final int[][] written;
    private final SplittableRandom random;
    private int writing;

    IngestClients(StackOptions config, EventQueue agenda, ClientPath door) {
        this.config = config.ingest();
        this.agenda = agenda;
        this.door = door;
        this.random = new SplittableRandom(config.seed() ^ 0x72656164L);
        this.written = new int[config.ingest().clients()]
                [config.ingest().readBack() == StackOptions.ReadBack.NONE
                        ? 0
                        : config.ingest().filesPerClient()];
        this.writing = config.ingest().clients();
    }

    void write() {
        for (int client = 0; client < config.clients(); client++) {
            int mine = client;
            agenda.at(0, () -> write(mine, 0));
        }
    }

    private void write(int client, int number) {
        if (number == config.filesPerClient()) {
            writing--;
            return;
        }
        agenda.after(config.fileNanos(), () -> {
            int directories = (config.filesPerClient() - 1) / config.filesPerDirectory() + 1;
            int directory = client * directories + number / config.filesPerDirectory();
            int file = door.create(door.worker(client), config.sizeBytes(), directory, () -> write(client, number + 1));
            if (written[client].length > 0) {
                written[client][number] = file;
            }
        });
    }

    /** Returns whether clients still write. */
    boolean goesOn() {
        return writing > 0;
    }

    void read() {
        if (config.readBack() != StackOptions.ReadBack.NONE) {
            for (int client = 0; client < config.clients(); client++) {
                int mine = client;
                agenda.after(0, () -> read(mine, 0));
            }
        }
    }

    private void read(int client, int number) {
        if (number == config.filesPerClient()) {
            return;
        }
        boolean random = config.readBack() == StackOptions.ReadBack.RANDOM;
        int at = random ? this.random.nextInt(config.filesPerClient()) : number;
        int of = random ? this.random.nextInt(config.clients()) : client;
        int file = written[of][at];
        door.read(door.worker(client), file, 0, door.size(file), () -> read(client, number + 1));
    }
}
