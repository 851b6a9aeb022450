// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.VectorResult;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Uncommitted bytes replace no file, on a mount that promises more than its worker's disk. Otherwise the loss of that disk
 * would lose answered data, too.
 */
final class UncommittedBytesTest extends MountFixture {
    private static final int LENGTH = 8;
    private static final FilePath NEW = new FilePath("/d/new");
    private static final FilePath OLD = new FilePath("/e/old");

    /** Each puts bytes of the new file over, or into, the old one, or changes the new one. */
    static Stream<Arguments> vectors() {
        ByteRange range = new ByteRange(NEW, 0, 4);
        return Stream.of(
                        new Operation.Rename(NEW, OLD, true),
                        new Operation.CloneFile(NEW, OLD, true, AttributeChange.NONE),
                        new Operation.CloneFile(NEW, new FilePath("/e/clone"), false, AttributeChange.NONE),
                        new Operation.CloneRange(range, OLD, 2),
                        new Operation.MoveRange(range, OLD, 2),
                        new Operation.CloneRange(new ByteRange(OLD, 0, 4), NEW, 0),
                        new Operation.DeleteRange(range),
                        new Operation.Truncate(NEW, 3))
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void nothingIsMadeOfThem(Operation operation) throws IOException {
        FileVersion old = committed(OLD);
        FileVersion fresh = deferred(NEW);
        OperationVector vector = OperationVector.of(operation);

        assertThat(table.apply(vector))
                .isEqualTo(new VectorResult.Refused(VectorResult.Kind.OPERATION, 0, Outcome.UNCOMMITTED));
        assertThat(table.stat(OLD).orElseThrow().version()).isEqualTo(old);
        assertThat(table.stat(NEW).orElseThrow().version()).isEqualTo(fresh);

        commit(fresh);
        assertThat(table.apply(vector)).isInstanceOf(VectorResult.Applied.class);
    }

    @ParameterizedTest
    @MethodSource("merges")
    void noMergeReplacesAFileByThem(Operation merge) throws IOException {
        FilePath older = new FilePath("/into/f");
        FileVersion old = committed(older);
        FileVersion fresh = deferred(new FilePath("/from/part/f"));

        assertThat(table.apply(OperationVector.of(merge)))
                .isEqualTo(new VectorResult.Refused(VectorResult.Kind.OPERATION, 0, Outcome.UNCOMMITTED));
        assertThat(table.stat(older).orElseThrow().version()).isEqualTo(old);

        commit(fresh);
        assertThat(table.apply(OperationVector.of(merge))).isInstanceOf(VectorResult.Applied.class);
        assertThat(table.stat(older).orElseThrow().version()).isEqualTo(fresh);
    }

    static Stream<Arguments> merges() {
        FilePath into = new FilePath("/into");
        return Stream.of(
                        new Operation.MergeDirectory(new FilePath("/from/part"), into),
                        new Operation.MergeEachDirectory(new FilePath("/from"), Optional.empty(), into))
                .map(Arguments::of);
    }

    private FileVersion committed(FilePath path) throws IOException {
        FileVersion version = deferred(path);
        commit(version);
        return version;
    }

    private FileVersion deferred(FilePath path) throws IOException {
        FileAttributes attributes = new FileAttributes(LENGTH, 1, "u", "g", 0644);
        ClaimResult result = session.claim(new Claim(session.newFileId(), path, attributes, true, true, true))
                .join();
        return ((ClaimResult.Granted) result).version();
    }

    private void commit(FileVersion version) throws IOException {
        BlobName name = new BlobName("w", 64, version.id());
        List<BlobExtent> extents = List.of(new BlobExtent(name, new Extent(0, LENGTH, 0, LENGTH, Codec.NONE, 0)));
        HeartbeatReply reply = session.heartbeat(
                new Heartbeat(0, 0, List.of(new PushedBlob(name, 100)), List.of(new CommittedFile(version, extents))));
        assertThat(reply.sealNow()).isFalse();
    }
}
