// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.totalcow;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.packing.blob.FilePath;
import io.packing.lab.load.Clients;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.s3server.S3ServerMetrics;
import io.packing.worker.api.PackingInput;
import io.packing.worker.read.PageCache;
import io.packing.worker.read.ReadCaches;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;

/** Clients that read a file each, all at once, at the doors of one process. The main class of that process. */
public final class SharedReaders {
    /** Before the result, which is the last line. */
    static final String RESULT = "result=";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int READ_BYTES = 4 << 20;

    private SharedReaders() {}

    /**
     * The plan of the readings.
     *
     * @param master the BDT master's address
     * @param options of the mount, without its credentials
     * @param doors mounts that are opened; clients use them by turns
     * @param ownCaches whether each door has a cache for itself
     * @param warmUp a file that is read before, from other caches, so that most code is compiled
     * @param paths a file for each client
     * @param crc32c of each of these files
     */
    record Plan(
            String master,
            Map<String, String> options,
            int doors,
            boolean ownCaches,
            String warmUp,
            List<String> paths,
            int crc32c) {
        String json() throws IOException {
            return JSON.writeValueAsString(this);
        }
    }

    /**
     * The cost of the readings.
     *
     * @param fetchedBytes that the store's server sent
     * @param memoryBytes that the caches hold afterwards
     * @param heapBytes by which the used heap grew, both times after a garbage collection
     * @param seconds until the last client had its file
     * @param verified clients whose file had the bytes that were written
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Reading(long fetchedBytes, long memoryBytes, long heapBytes, double seconds, int verified) {
        static Reading parse(String line) throws IOException {
            return JSON.readValue(line, Reading.class);
        }
    }

    /**
     * Reads, and prints what it took.
     *
     * @param words one: the plan
     */
    public static void main(String... words) throws IOException, InterruptedException {
        Reading reading = read(JSON.readValue(words[0], Plan.class));
        System.out.println(RESULT + JSON.writeValueAsString(reading));
    }

    private static Reading read(Plan plan) throws IOException, InterruptedException {
        EngineRig.Target target = EngineRig.Target.ofEnvironment(plan.master(), plan.options());
        warmUp(plan, target);
        List<EngineRig.Client> doors = new ArrayList<>();
        try {
            ReadCaches shared = new ReadCaches();
            for (int i = 0; i < plan.doors(); i++) {
                doors.add(target.client(plan.ownCaches() ? new ReadCaches() : shared));
            }
            return read(plan, doors);
        } finally {
            for (EngineRig.Client door : doors) {
                door.close();
            }
        }
    }

    /** In a method of its own, so that nothing of it is in the heap when that is measured. */
    private static void warmUp(Plan plan, EngineRig.Target target) throws IOException {
        try (EngineRig.Client client = target.client(new ReadCaches())) {
            if (crc(client, plan.warmUp()) == 0) {
                throw new IOException("%s has no bytes".formatted(plan.warmUp()));
            }
        }
    }

    private static Reading read(Plan plan, List<EngineRig.Client> doors) throws IOException, InterruptedException {
        URI server = URI.create(plan.options().get("packing.s3.endpoint"));
        long heap = usedHeap();
        long sent = sent(server);
        CyclicBarrier start = new CyclicBarrier(plan.paths().size() + 1);
        ExecutorService threads = Executors.newFixedThreadPool(plan.paths().size());
        try {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < plan.paths().size(); i++) {
                EngineRig.Client door = doors.get(i % doors.size());
                String path = plan.paths().get(i);
                Callable<Integer> client = () -> {
                    int unused = start.await();
                    return crc(door, path);
                };
                clients.add(threads.submit(client));
            }
            int unused = start.await();
            long begin = System.nanoTime();
            int verified = 0;
            for (Future<Integer> client : clients) {
                verified += client.get() == plan.crc32c() ? 1 : 0;
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            return new Reading(sent(server) - sent, memory(doors), usedHeap() - heap, seconds, verified);
        } catch (ExecutionException e) {
            throw Clients.failure(e);
        } catch (BrokenBarrierException e) {
            throw new IOException("a client ended before all began", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static int crc(EngineRig.Client door, String path) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
        try (PackingInput in = door.mount().open(new FilePath(path))) {
            long length = in.attributes().length();
            long position = 0;
            while (position < length) {
                int count = in.read(position, buffer.clear());
                if (count < 0) {
                    throw new EOFException("%s ends at %d, before %d".formatted(path, position, length));
                }
                crc.update(buffer.flip());
                position += count;
            }
        }
        return (int) crc.getValue();
    }

    private static long sent(URI server) throws IOException, InterruptedException {
        S3ServerMetrics metrics = S3Process.metrics(server);
        return metrics.prefix(EngineRig.PACKED).bytesOut();
    }

    private static long memory(List<EngineRig.Client> doors) {
        Set<PageCache> caches = Collections.newSetFromMap(new IdentityHashMap<>());
        doors.forEach(door -> caches.add(door.mount().cache()));
        return caches.stream().mapToLong(PageCache::memoryBytes).sum();
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
