// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.sorted.Boot;
import io.packing.sorted.SortedStores;
import io.packing.worker.buffer.Scheduling;
import io.packing.worker.read.ReadCaches;
import io.packing.worker.rpc.PeerNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The parts of the machine and the process that differ between runs; with all of them given, a stepped worker repeats a
 * run exactly.
 *
 * @param wall clock for records and messages
 * @param nanos clock for durations; counts from an arbitrary time
 * @param random numbers that no other process can foresee
 * @param scheduling of the thread that gathers files
 * @param caches of reads, which other workers in the process may share
 * @param places of files on the machine: a copy of a file has another one
 * @param tables opens the sorted stores of the buffer directory
 * @param peers the network to other workers
 */
public record WorkerPlatform(
        Clock wall,
        LongSupplier nanos,
        IntSupplier random,
        Scheduling scheduling,
        ReadCaches caches,
        Places places,
        SortedStores.Opener tables,
        PeerNetwork peers) {
    /** A namer of the place of a file on its machine. */
    public interface Places {
        String of(Path file) throws IOException;
    }

    /** Returns the environment of a real worker with this clock and these caches. */
    static WorkerPlatform of(Clock wall, ReadCaches caches) {
        return new WorkerPlatform(
                wall,
                System::nanoTime,
                new SecureRandom()::nextInt,
                Scheduling.ofMachine(),
                caches,
                Boot::place,
                SortedStores::open,
                PeerNetwork.grpc());
    }
}
