// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import io.packing.options.PriceTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The bill of an access log.
 *
 * @param requests of all directories
 * @param storedBytes that answered writes stored
 * @param directories the requests of each, by the first names of their keys
 * @param log what was read
 */
public record LogBill(
        BilledRequests requests, long storedBytes, Map<String, DirectoryRequests> directories, AccessLog.Outcome log) {
    /** Directories beyond these are added up under one name. */
    static final int MOST_DIRECTORIES = 10_000;

    static final String OTHERS = "(others)";

    /**
     * The requests for the objects of a directory.
     *
     * @param objects that were stored, by answered PUTs and completed uploads
     * @param bytes that were stored
     */
    public record DirectoryRequests(long objects, long bytes, BilledRequests requests) {
        DirectoryRequests plus(DirectoryRequests other) {
            return new DirectoryRequests(objects + other.objects, bytes + other.bytes, requests.plus(other.requests));
        }
    }

    public LogBill {
        directories = Map.copyOf(directories);
    }

    /**
     * Reads a log.
     *
     * @param depth names of a key that make its directory; 0: all keys are in one
     */
    public static LogBill read(List<Path> paths, AccessLog.Part part, int depth) throws IOException {
        TreeMap<String, DirectoryRequests> directories = new TreeMap<>();
        AccessLog.Outcome outcome = AccessLog.read(paths, part, (line, billed) -> {
            String directory = BillDirectory.of("/" + line.key().orElse(""), depth);
            boolean known = directories.containsKey(directory) || directories.size() < MOST_DIRECTORIES;
            directories.merge(
                    known ? directory : OTHERS,
                    new DirectoryRequests(stores(line) ? 1 : 0, line.stored(), billed),
                    DirectoryRequests::plus);
        });
        DirectoryRequests all = directories.values().stream()
                .reduce(new DirectoryRequests(0, 0, BilledRequests.NONE), DirectoryRequests::plus);
        return new LogBill(all.requests(), all.bytes(), directories, outcome);
    }

    /**
     * Returns each directory's part of a bill of objects that are files.
     *
     * @param packedDollars that a model predicts for all of them, when they are packed; shared out by bytes
     */
    public List<DirectoryBill> bills(PriceTable prices, double packedDollars) {
        List<DirectoryBill> bills = new ArrayList<>();
        new TreeMap<>(directories)
                .forEach((directory, of) -> bills.add(new DirectoryBill(
                        directory,
                        of.objects(),
                        of.bytes(),
                        of.requests().dollars(prices),
                        storedBytes == 0 ? 0 : packedDollars * of.bytes() / storedBytes)));
        return bills;
    }

    private static boolean stores(AccessLogLine line) {
        boolean answered = line.status() >= 200 && line.status() < 300;
        return answered
                && (line.operation().equals("REST.PUT.OBJECT")
                        || line.operation().equals("REST.POST.OBJECT")
                        || line.operation().equals("REST.COPY.OBJECT")
                        || line.operation().equals("REST.POST.UPLOAD"));
    }
}
