// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The findings about a trace of HDFS clients, by the figures of §3.3. Sizes are bytes. */
public final class Findings {
    private final Totals totals;
    private final InputReport input;
    private final Set<String> core;

    Findings(Totals totals, InputReport input, Set<String> core) {
        this.totals = totals;
        this.input = input;
        this.core = Set.copyOf(core);
    }

    /** The bytes read and written. */
    public record ReadWrite(long read, long written) {
        public long total() {
            return read + written;
        }

        /** Returns the share of the bytes that were read; 0 without bytes. */
        public double readShare() {
            return total() == 0 ? 0 : (double) read / total();
        }

        ReadWrite plus(ReadWrite other) {
            return new ReadWrite(read + other.read, written + other.written);
        }
    }

    /** The bytes of data that were only read, only written, or both. */
    public record Touched(long read, long written, long both) {
        public long total() {
            return read + written + both;
        }

        Touched plus(Touched other) {
            return new Touched(read + other.read, written + other.written, both + other.both);
        }
    }

    /**
     * A call's events, calls (more than events if runs are collapsed), failures and time, with quantiles of its
     * latency.
     */
    public record CallUse(long events, long calls, long errors, long nanos, SortedMap<Integer, Long> latencies) {
        public double meanMicros() {
            return calls == 0 ? 0 : nanos / 1e3 / calls;
        }

        public double micros(double quantile) {
            return Buckets.quantile(latencies, quantile) / 1e3;
        }
    }

    /** A distribution with its count and sum. */
    public record Sizes(long count, long sum, SortedMap<Integer, Long> histogram) {
        public double mean() {
            return count == 0 ? 0 : (double) sum / count;
        }

        public double quantile(double share) {
            return Buckets.quantile(histogram, share);
        }
    }

    public InputReport input() {
        return input;
    }

    /** Returns the causes that are the application's own I/O. */
    public Set<String> core() {
        return core;
    }

    /** Returns the I/O by cause (Fig. 3.2). */
    public Map<String, ReadWrite> ioByCause() {
        return byName("io", "read", "write");
    }

    /** Returns the calls that moved bytes, by cause. */
    public Map<String, ReadWrite> callsByCause() {
        return byName("iocalls", "read", "write");
    }

    /** Returns the calls that began where the last one on their stream had ended, by cause. */
    public Map<String, ReadWrite> sequentialByCause() {
        return byName("sequential", "read", "write");
    }

    /** Returns the application's own I/O: the first bar of Fig. 3.2. */
    public ReadWrite coreIo() {
        return ioByCause().entrySet().stream()
                .filter(cause -> core.contains(cause.getKey()))
                .map(Map.Entry::getValue)
                .reduce(new ReadWrite(0, 0), ReadWrite::plus);
    }

    /** Returns all I/O: the second bar of Fig. 3.2. */
    public ReadWrite allIo() {
        return ioByCause().values().stream().reduce(new ReadWrite(0, 0), ReadWrite::plus);
    }

    /** Returns the data of files alive at the end that received core I/O, and any I/O (Fig. 3.3). */
    public Map<String, Touched> liveData() {
        return touched("live");
    }

    /** Returns the data touched, deleted files included, by family (Fig. 3.4a). */
    public Map<String, Touched> dataByFamily() {
        return touched("data");
    }

    /** Returns the I/O by family (Fig. 3.4b). */
    public Map<String, ReadWrite> ioByFamily() {
        return byName("familyio", "read", "write");
    }

    /** Returns the bytes of I/O per byte of data, by family (Fig. 3.4b, labels). */
    public Map<String, Double> ioPerByte() {
        Map<String, ReadWrite> io = ioByFamily();
        Map<String, Double> ratios = new LinkedHashMap<>();
        dataByFamily().forEach((family, data) -> {
            ReadWrite moved = io.getOrDefault(family, new ReadWrite(0, 0));
            ratios.put(family, data.total() == 0 ? 0 : (double) moved.total() / data.total());
        });
        return ratios;
    }

    /** Returns the sizes of all files in the trace, by family (Fig. 3.5). */
    public Map<String, Sizes> fileSizes() {
        TreeMap<String, Sizes> sizes = new TreeMap<>();
        totals.below("files", "seen")
                .forEach((family, count) -> sizes.put(
                        family,
                        new Sizes(
                                count,
                                totals.get("files", "bytes", family),
                                totals.histogram("files", "size", family))));
        return sizes;
    }

    public long filesSeen() {
        return sum(totals.below("files", "seen"));
    }

    /** Returns the number of files created in the trace: {@code small}, {@code medium} and {@code large} (§3.3.3). */
    public Map<String, Long> createdFiles() {
        return totals.below("created", "files");
    }

    /** Returns the bytes of the created files, by these classes. */
    public Map<String, Long> createdBytes() {
        return totals.below("created", "bytes");
    }

    /**
     * Returns the share of the files of a size class that were deleted within this time of their creation (Fig. 3.6).
     */
    public double deletedWithin(String sizeClass, double seconds) {
        Long all = createdFiles().getOrDefault(sizeClass, 0L);
        long dead = totals.histogram("life", sizeClass).entrySet().stream()
                .filter(bucket -> Buckets.value(bucket.getKey()) < seconds)
                .mapToLong(Map.Entry::getValue)
                .sum();
        return all == 0 ? 0 : (double) dead / all;
    }

    /** Returns the minutes of the columns of the locality map (Fig. 3.7). */
    public static long[] localityMinutes() {
        long[] minutes = new long[LocalityMap.COLUMNS];
        Arrays.setAll(minutes, LocalityMap::minutes);
        return minutes;
    }

    /**
     * Returns for each line of the locality map the shares of reads that were preceded within each column's time (Fig.
     * 3.7).
     */
    public Map<String, double[]> localityMap() {
        Map<String, double[]> lines = new LinkedHashMap<>();
        for (String line : LocalityMap.LINES) {
            SortedMap<Integer, Long> columns = totals.histogram("locality", line);
            long all = columns.values().stream().mapToLong(Long::longValue).sum();
            double[] shares = new double[LocalityMap.COLUMNS];
            long seen = 0;
            for (int column = 0; column < shares.length; column++) {
                seen += columns.getOrDefault(column, 0L);
                shares[column] = all == 0 ? 0 : (double) seen / all;
            }
            lines.put(line, shares);
        }
        return lines;
    }

    /** Returns the bytes of data by the number of their reads: bucket i stands for 2^i reads and more (Fig. 3.8a). */
    public SortedMap<Integer, Long> heatOfData() {
        return totals.histogram("heat", "data");
    }

    /** Returns the bytes read, by the number of reads of their data (Fig. 3.8b). */
    public SortedMap<Integer, Long> heatOfIo() {
        return totals.histogram("heat", "io");
    }

    /** Returns counts and latencies of each call, by label. */
    public Map<String, CallUse> calls() {
        TreeMap<String, CallUse> calls = new TreeMap<>();
        for (String label : totals.below("calls").keySet()) {
            calls.put(
                    label,
                    new CallUse(
                            totals.get("calls", label, "events"),
                            totals.get("calls", label, "calls"),
                            totals.get("calls", label, "errors"),
                            totals.get("calls", label, "nanos"),
                            totals.histogram("latency", label)));
        }
        return calls;
    }

    /** Returns the sizes of single reads or writes of a cause. */
    public Sizes requestSizes(String cause, boolean read) {
        String way = read ? "read" : "write";
        return new Sizes(
                totals.get("iocalls", cause, way),
                totals.get("io", cause, way),
                totals.histogram("iosize", cause, way));
    }

    /** Returns the bytes that an hflush or hsync made durable. */
    public Sizes syncSizes() {
        SortedMap<Integer, Long> histogram = totals.histogram("syncbytes");
        return new Sizes(totals.get("syncs"), approximateSum(histogram), histogram);
    }

    /** Returns the sizes of single writes to logs. */
    public Sizes logWrites() {
        SortedMap<Integer, Long> histogram = totals.histogram("logwrite");
        return new Sizes(sumOf(histogram), approximateSum(histogram), histogram);
    }

    /** Returns the events by hour since 1970. */
    public SortedMap<Integer, Long> eventsByHour() {
        return totals.histogram("hours");
    }

    private Map<String, ReadWrite> byName(String what, String read, String written) {
        TreeMap<String, ReadWrite> found = new TreeMap<>();
        for (String name : totals.below(what).keySet()) {
            found.put(name, new ReadWrite(totals.get(what, name, read), totals.get(what, name, written)));
        }
        return found;
    }

    private Map<String, Touched> touched(String what) {
        TreeSet<String> names = new TreeSet<>(totals.below(what).keySet());
        return names.stream()
                .collect(Collectors.toMap(
                        name -> name,
                        name -> new Touched(
                                totals.get(what, name, "read"),
                                totals.get(what, name, "written"),
                                totals.get(what, name, "both")),
                        Touched::plus,
                        TreeMap::new));
    }

    private static long sum(Map<String, Long> counts) {
        return sumOf(counts);
    }

    private static long sumOf(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long approximateSum(SortedMap<Integer, Long> histogram) {
        return Math.round(histogram.entrySet().stream()
                .mapToDouble(bucket -> Buckets.value(bucket.getKey()) * bucket.getValue())
                .sum());
    }
}
