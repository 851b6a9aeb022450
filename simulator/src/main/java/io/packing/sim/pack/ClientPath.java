// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

/** The clients' way to files: through workers that pack, or straight to objects. */
final class ClientPath {
    private final StackOptions config;
    private final EventQueue agenda;
    private final FileTable files;
    private final SimulatedBlobs blobs;
    private final Layouts layouts;
    private final StoreModel store;
    private final Link[] links;
    private final WorkerModel[] workers;
    private final PackCounters counters;
    private final Reader reader;
    /** The blob that takes the next file of before the run; below 0: none yet. */
    private int preparedBlob = -1;

    ClientPath(
            StackOptions config,
            EventQueue agenda,
            FileTable files,
            SimulatedBlobs blobs,
            Layouts layouts,
            StoreModel store,
            Link[] links,
            WorkerModel[] workers,
            PackCounters counters,
            Reader reader) {
        this.config = config;
        this.agenda = agenda;
        this.files = files;
        this.blobs = blobs;
        this.layouts = layouts;
        this.store = store;
        this.links = links;
        this.workers = workers;
        this.counters = counters;
        this.reader = reader;
    }

    /** Adds a file that is in the store before the run, behind the one that was added before. */
    int prepare(long size, int directory) {
        int file = files.add(size, 0, directory);
        long cut = config.packing().blobBytes();
        if (!config.packed()) {
            files.place(file, file, 0);
        } else if (size >= config.packing().spillBytes()) {
            files.place(file, blobs.count(), 0);
            for (long from = 0; from < size; from += cut) {
                blobs.sealed(blobs.add(), Math.min(cut, size - from));
            }
        } else {
            if (preparedBlob < 0 || blobs.body(preparedBlob) + size > cut) {
                preparedBlob = blobs.add();
            }
            long offset = blobs.body(preparedBlob) + Math.round(layouts.of(size).recordPerFile());
            files.place(file, preparedBlob, offset);
            blobs.sealed(preparedBlob, offset + size);
        }
        return file;
    }

    /** Writes a file, and returns its number; {@code closed} runs at its close. */
    int create(int worker, long size, int directory, Runnable closed) {
        int file = files.add(size, worker, directory);
        counters.files++;
        counters.fileBytes += size;
        if (config.packed()) {
            workers[worker].write(file, closed);
        } else {
            files.place(file, FileTable.SEALED, 0);
            put(worker, file, config.store().listsPerCreate(), closed);
        }
        return file;
    }

    private void put(int worker, int file, int lists, Runnable closed) {
        if (lists > 0) {
            store.request(SimulatedRequestKind.LIST, 0, links[worker], () -> put(worker, file, lists - 1, closed));
            return;
        }
        store.request(SimulatedRequestKind.PUT, files.size(file), links[worker], () -> {
            long now = agenda.now();
            files.close(file, now);
            files.place(file, file, 0);
            counters.blobs++;
            counters.blobBytes += files.size(file);
            counters.lastClosed = now;
            counters.durable(now, now, files.size(file));
            closed.run();
        });
    }

    void read(int worker, int file, long offset, long length, Runnable then) {
        reader.read(worker, file, offset, length, then);
    }

    void readElsewhere(int worker, long length) {
        reader.readElsewhere(worker, length, () -> {});
    }

    /** Deletes a file. A packed file becomes a hole. */
    void delete(int file) {
        counters.deletedFiles++;
        counters.row(config.packed() ? -1 : 0);
        if (files.delete(file)) {
            counters.savedFiles++;
            counters.savedBytes += files.size(file);
        } else {
            counters.deadBytes += config.packed() ? files.size(file) : 0;
        }
    }

    long size(int file) {
        return files.size(file);
    }

    int worker(int number) {
        return number % links.length;
    }
}
