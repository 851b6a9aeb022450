// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.battle;

import io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resources of this process at a moment.
 *
 * @param threads living threads of masters and workers
 * @param threadCount all threads
 * @param heapBytes live objects, after a collection
 * @param directBytes memory outside of the heap that Java and gRPC count
 * @param descriptors open files and connections
 */
public record Vitals(Set<Thread> threads, int threadCount, long heapBytes, long directBytes, long descriptors) {
    private static final long MB = 1 << 20;
    private static final long MOST_HEAP_GROWTH = 64 * MB;
    private static final long MOST_DIRECT_GROWTH = 128 * MB;
    private static final long MOST_DESCRIPTOR_GROWTH = 300;
    private static final int MOST_THREAD_GROWTH = 100;
    /** Threads that answer calls. One that had no call for a minute ends, and calls tell whether there are enough. */
    private static final String ANSWERING = "bdt-rpc-";

    /**
     * Makes gRPC return the memory of unused buffers; called before its first connection. Its pools, and netty's, would
     * keep their highest use. The attackers use 60 MB each, which would hide lost memory of the servers.
     */
    public static void keepNoBuffers() {
        System.setProperty("io.grpc.netty.shaded.io.grpc.netty.useCustomAllocator", "false");
        System.setProperty("io.grpc.netty.shaded.io.netty.allocator.type", "unpooled");
    }

    public static Vitals now() throws IOException {
        // The second collection frees the objects that the first one only enqueued.
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long heap = runtime.totalMemory() - runtime.freeMemory();
        // Netty counts its memory; Java counts it, too, unless netty bypasses Java.
        long direct = PlatformDependent.useDirectBufferNoCleaner() ? PlatformDependent.usedDirectMemory() : 0;
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            direct += pool.getName().equals("direct") ? pool.getMemoryUsed() : 0;
        }
        Set<Thread> all = Thread.getAllStackTraces().keySet();
        return new Vitals(
                all.stream().filter(thread -> isOurs(thread.getName())).collect(Collectors.toSet()),
                all.size(),
                heap,
                direct,
                descriptorsNow());
    }

    private static boolean isOurs(String thread) {
        return thread.startsWith("bdt-") || thread.startsWith("packing-");
    }

    private static long descriptorsNow() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    /** Returns the resources that have become worse. */
    public List<String> worseThan(Vitals before) {
        List<String> worse = new ArrayList<>();
        Map<String, Long> alive = byName(threads);
        // A mount with new options has new threads of these names.
        byName(before.threads).forEach((name, count) -> {
            if (!name.startsWith(ANSWERING) && alive.getOrDefault(name, 0L) < count) {
                worse.add("thread %s is dead".formatted(name));
            }
        });
        grown(worse, "threads", before.threadCount, threadCount, MOST_THREAD_GROWTH);
        grown(worse, "heap bytes", before.heapBytes, heapBytes, MOST_HEAP_GROWTH);
        grown(worse, "direct bytes", before.directBytes, directBytes, MOST_DIRECT_GROWTH);
        grown(worse, "descriptors", before.descriptors, descriptors, MOST_DESCRIPTOR_GROWTH);
        return worse;
    }

    private static Map<String, Long> byName(Set<Thread> threads) {
        return threads.stream().collect(Collectors.groupingBy(Thread::getName, TreeMap::new, Collectors.counting()));
    }

    private static void grown(List<String> worse, String what, long before, long now, long most) {
        if (now - before > most) {
            worse.add("%s grew from %d to %d".formatted(what, before, now));
        }
    }

    /** Returns the stacks of masters' and workers' threads, for the report of a hang. */
    public static String stacks() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (isOurs(thread.getName()) && stack.length > 0) {
                text.append(thread.getName()).append('\n');
                Stream.of(stack)
                        .limit(8)
                        .forEach(at -> text.append("    ").append(at).append('\n'));
            }
        });
        return text.toString();
    }
}
