// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.Bdt;
import io.packing.bdt.MountStatus;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.operations.walk.TreeWalk;
import io.packing.options.PriceTable;
import io.packing.sim.bill.BillDirectory;
import io.packing.sim.bill.BilledRequests;
import io.packing.sim.bill.DirectoryBill;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The requests that the master and the workers of a mount have counted, and its files by directory.
 *
 * @param requests since the processes have started, or since an earlier report
 */
record MeteredMount(BilledRequests requests, Map<String, Files> directories) {
    /** Directories beyond these are added up under one name. */
    private static final int MOST_DIRECTORIES = 10_000;

    private static final String OTHERS = "(others)";

    /** The files below a directory. */
    record Files(long count, long bytes) {
        Files plus(Files other) {
            return new Files(count + other.count, bytes + other.bytes);
        }
    }

    MeteredMount {
        directories = Map.copyOf(directories);
    }

    /**
     * Asks a master.
     *
     * @param before what {@code packing mounts --json} printed earlier; these requests do not count
     * @param depth names of a path that make its directory
     */
    static MeteredMount read(MasterTarget target, Optional<Path> before, int depth) throws IOException {
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            String id = bdts.terms().find(target.name().mount(), target.given()).mount();
            MountStatus status = bdts.operations().mounts().stream()
                    .filter(mount -> mount.mount().equals(id))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the master has no mount " + id + " open"));
            StoreRequests now = status.masterRequests().plus(status.workerRequests());
            StoreRequests counted = before.isPresent() ? now.since(earlier(before.get(), id)) : now;
            Map<String, Files> directories = new TreeMap<>();
            TreeWalk.walk(bdt, FilePath.ROOT, entry -> {
                if (!entry.isDirectory()) {
                    String directory = BillDirectory.of(entry.path().toString(), depth);
                    boolean known = directories.containsKey(directory) || directories.size() < MOST_DIRECTORIES;
                    directories.merge(
                            known ? directory : OTHERS,
                            new Files(1, entry.attributes().length()),
                            Files::plus);
                }
            });
            return new MeteredMount(billed(counted), directories);
        }
    }

    private static StoreRequests earlier(Path file, String id) throws IOException {
        JsonNode mounts;
        try {
            mounts = new ObjectMapper().readTree(file.toFile());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "%s: not JSON, as packing mounts --json prints it: %s".formatted(file, e.getOriginalMessage()), e);
        }
        for (JsonNode mount : mounts) {
            if (mount.path("mount").asText().equals(id)) {
                JsonNode requests = mount.path("requests");
                return new StoreRequests(
                        requests.path("puts").asLong(),
                        requests.path("lists").asLong(),
                        requests.path("gets").asLong(),
                        requests.path("heads").asLong(),
                        requests.path("deletes").asLong(),
                        requests.path("throttled").asLong(),
                        requests.path("failed").asLong());
            }
        }
        throw new IllegalArgumentException("%s: it has no mount %s".formatted(file, id));
    }

    private static BilledRequests billed(StoreRequests counted) {
        return new BilledRequests(
                counted.puts(),
                counted.lists(),
                counted.gets(),
                counted.heads(),
                counted.deletes(),
                counted.throttled(),
                counted.failed());
    }

    /** Returns each directory's part of a bill: one PUT a file, and its share of the mount's requests by bytes. */
    List<DirectoryBill> bills(PriceTable prices, double packedDollars) {
        long all = directories.values().stream().mapToLong(Files::bytes).sum();
        List<DirectoryBill> bills = new ArrayList<>();
        new TreeMap<>(directories)
                .forEach((directory, files) -> bills.add(new DirectoryBill(
                        directory,
                        files.count(),
                        files.bytes(),
                        prices.requests(files.count(), 0, 0, 0),
                        all == 0 ? 0 : packedDollars * files.bytes() / all)));
        return bills;
    }
}
