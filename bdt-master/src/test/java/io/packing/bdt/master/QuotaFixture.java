// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScanProblem;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A mount with quotas, and what is asked of them. */
abstract class QuotaFixture extends MountFixture {
    static final long ANY = QuotaChange.NO_LIMIT;

    static FilePath path(String text) {
        return new FilePath(text);
    }

    static QuotaChange limits(long names, long bytes) {
        return new QuotaChange(OptionalLong.of(names), OptionalLong.of(bytes));
    }

    void limit(String directory, long names, long bytes) throws IOException {
        assertThat(table.setQuota(path(directory), limits(names, bytes))).isEqualTo(Outcome.DONE);
    }

    void make(String path) throws IOException {
        assertThat(table.mkdir(path(path), DIRECTORY, true)).isEqualTo(Outcome.DONE);
    }

    void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    static Operation file(String path) {
        return new Operation.CreateFile(path(path), AttributeChange.NONE, true);
    }

    static Operation length(String path, long length) {
        return new Operation.Truncate(path(path), length);
    }

    static Operation move(String from, String to) {
        return new Operation.Rename(path(from), path(to), false);
    }

    static Operation copy(String from, String to) {
        return new Operation.CloneFile(path(from), path(to), false, AttributeChange.NONE);
    }

    ClaimResult write(String path, long length) throws IOException {
        return write(session, path, length, false);
    }

    ClaimResult write(WorkerSession by, String path, long length, boolean deferred) throws IOException {
        FileAttributes attributes = new FileAttributes(length, 1, "u", "g", 0644);
        Claim claim = new Claim(by.newFileId(), path(path), attributes, true, true, deferred);
        return by.claim(claim).join();
    }

    void written(String path, long length) throws IOException {
        assertThat(write(path, length)).isInstanceOf(ClaimResult.Granted.class);
    }

    static void refused(ClaimResult result, Outcome reason) {
        assertThat(result).isInstanceOf(ClaimResult.Refused.class);
        assertThat(((ClaimResult.Refused) result).reason()).isEqualTo(reason);
    }

    interface Act {
        Object run() throws IOException;
    }

    static String refused(Outcome reason, Act act) {
        List<String> messages = new ArrayList<>();
        assertThatExceptionOfType(QuotaExceededException.class)
                .isThrownBy(act::run)
                .satisfies(e -> {
                    assertThat(e.reason()).isEqualTo(reason);
                    messages.add(String.valueOf(e.getMessage()));
                });
        return messages.get(0);
    }

    String refused(Outcome reason, Operation... operations) {
        return refused(reason, () -> table.apply(OperationVector.of(operations)));
    }

    /** A directory counts so much, and fsck agrees. */
    void counts(String directory, long names, long bytes) throws IOException {
        Quota quota = table.quota(path(directory)).orElseThrow(() -> new AssertionError(directory + " has no quota"));
        assertThat(List.of(quota.names(), quota.bytes()))
                .as("names and bytes of %s", directory)
                .containsExactly(names, bytes);
        sound();
    }

    void sound() throws IOException {
        assertThat(problems()).isEmpty();
    }

    List<ScanProblem> problems() throws IOException {
        List<ScanProblem> problems = new ArrayList<>();
        ScanPage page;
        String after = "";
        do {
            page = table.scan(ScanPart.QUOTAS, after);
            problems.addAll(page.problems());
            after = page.next();
        } while (!page.isLast());
        return problems;
    }
}
