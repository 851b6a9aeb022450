// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/** Quotas that never refuse anything, of random directories, and what they have to count. */
final class ModelQuotas {
    private final Random random;

    ModelQuotas(Random random) {
        this.random = random;
    }

    /** Sets or clears one. */
    String change(Bdt table, ByteModel model) throws IOException {
        List<String> all = List.copyOf(model.directoriesAndRoot());
        FilePath directory = new FilePath(all.get(random.nextInt(all.size())));
        QuotaChange change = random.nextInt(4) == 0
                ? QuotaChange.CLEAR
                : new QuotaChange(OptionalLong.of(Long.MAX_VALUE), OptionalLong.of(Long.MAX_VALUE));
        assertThat(table.setQuota(directory, change)).as("%s", directory).isEqualTo(Outcome.DONE);
        return "quota of %s: %s".formatted(directory, change);
    }

    /**
     * Checks each quota's counts against the master's scan and a client's walk.
     *
     * @param links whether a file had several names at some time: each name counts bytes of its own then, and a snapshot keeps that
     */
    static void compare(Bdt table, boolean links, String what) throws IOException {
        List<String> wrong = new ArrayList<>();
        ScanPage page;
        String after = "";
        do {
            page = table.scan(ScanPart.QUOTAS, after);
            page.problems().forEach(each -> wrong.add(each.path() + " " + each.message()));
            after = page.next();
        } while (!page.isLast());
        assertThat(wrong).as(what).isEmpty();
        Walked unused = compare(table, FilePath.ROOT, links, what);
    }

    /** The names and bytes that a client finds in a directory. */
    private record Walked(long names, long bytes) {}

    private static Walked compare(Bdt table, FilePath directory, boolean links, String what) throws IOException {
        Walked all = new Walked(1, 0);
        for (FileStatus each : table.list(directory, "", 1_000).orElseThrow()) {
            Walked one = each.isDirectory()
                    ? compare(table, each.path(), links, what)
                    : new Walked(1, each.attributes().length());
            all = new Walked(all.names + one.names, all.bytes + one.bytes);
        }
        Optional<Quota> quota = table.quota(directory);
        if (quota.isPresent()) {
            assertThat(quota.get().names())
                    .as("%s: names of %s", what, directory)
                    .isEqualTo(all.names);
            if (!links) {
                assertThat(quota.get().bytes())
                        .as("%s: bytes of %s", what, directory)
                        .isEqualTo(all.bytes);
            }
        }
        return all;
    }
}
