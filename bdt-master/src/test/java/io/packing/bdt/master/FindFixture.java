// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A table that is asked for many paths at once, in this process and over the wire. */
abstract class FindFixture extends LinksFixture {
    /** Looks at the table. */
    interface Look {
        void run() throws IOException;
    }

    GrpcBdts client;
    Bdt remote;

    @BeforeEach
    void connect() throws IOException {
        client = GrpcBdts.connect("127.0.0.1:" + master.serve().port(), Duration.ofSeconds(60));
        remote = client.open(TestStores.MOUNT);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    static List<FilePath> paths(String... paths) {
        return Arrays.stream(paths).map(FilePath::new).toList();
    }

    /** Returns the result of a path's own lookup. */
    static FoundEntry alone(Bdt bdt, FilePath path) throws IOException {
        Optional<FileStatus> status;
        try {
            status = bdt.stat(path);
        } catch (DeniedException e) {
            return FoundEntry.of(e);
        }
        if (status.isEmpty()) {
            return FoundEntry.NOTHING;
        }
        try {
            Optional<LocatedFile> file = bdt.locate(path);
            assertThat(file.isEmpty()).isEqualTo(status.get().isDirectory());
            file.ifPresent(located -> assertThat(located.status()).isEqualTo(status.get()));
            return FoundEntry.of(new ListedEntry(status.get(), file.map(LocatedFile::placement)));
        } catch (DeniedException e) {
            return FoundEntry.of(new ListedEntry(status.get(), Optional.empty()));
        }
    }

    /** Finds paths at once, and checks that single lookups find the same. */
    static List<FoundEntry> findsAsAlone(Bdt bdt, List<FilePath> paths) throws IOException {
        List<FoundEntry> one = new ArrayList<>();
        for (FilePath path : paths) {
            one.add(alone(bdt, path));
        }
        List<FoundEntry> found = bdt.find(paths);
        assertThat(found).isEqualTo(one);
        return found;
    }

    /** Looks again where upkeep changed rows meanwhile: it tidies up behind clones. */
    void untilQuiet(Look look) throws IOException {
        while (true) {
            Map<byte[], byte[]> before = stores.table().copy();
            try {
                look.run();
                return;
            } catch (AssertionError e) {
                if (stores.table().copy().equals(before)) {
                    throw e;
                }
            }
        }
    }

    /** Calls of the method that the master has had. */
    double requests() {
        return master.metrics()
                .scrape()
                .lines()
                .filter(line -> line.startsWith("bdt_requests_total{method=\"Find\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
