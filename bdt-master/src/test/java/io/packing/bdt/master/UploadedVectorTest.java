// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With {@code packing.durability=uploaded} a vector that gives files bytes is in the store when it is answered. */
final class UploadedVectorTest extends MountFixture {
    private static final FilePath SOURCE = new FilePath("/d/source");
    private static final FilePath TARGET = new FilePath("/d/target");
    private static final int MANY = 300;
    private static final FilePath COPY = new FilePath("/c/copy");

    private static Map<String, String> uploaded() {
        Map<String, String> options = new HashMap<>(TestStores.MOUNT);
        options.put("packing.durability", "uploaded");
        // So the store gets only the uploads that a caller waits for.
        options.put("packing.journal.interval", "1d");
        options.put("packing.backup.interval", "1d");
        return options;
    }

    @BeforeEach
    void openUploaded() throws IOException {
        master.kill();
        stores.dropTables();
        GrpcMasterTest.deleteAll(data);
        master = BdtMaster.start(TestStores.config(data).takingOver(), stores);
        reopen();
        claimWithBytes(SOURCE);
        claimWithBytes(TARGET);
        push(true);
    }

    private void claimWithBytes(FilePath path) throws IOException {
        do {
            // Every third file of the fixture is empty.
            claim(path.value());
        } while (table.stat(path).orElseThrow().attributes().length() == 0);
    }

    private void reopen() throws IOException {
        table = master.open(uploaded());
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
    }

    private void loseMasterAndBuffer() throws IOException {
        master.kill();
        stores.dropTables();
        GrpcMasterTest.deleteAll(data);
        master = BdtMaster.start(TestStores.config(data).takingOver(), stores);
        reopen();
        session.reclaimed();
    }

    static Stream<List<Operation>> vectors() {
        ByteRange range = new ByteRange(SOURCE, 0, 4);
        return Stream.of(
                List.of(new Operation.CloneRange(range, TARGET, 2)),
                List.of(new Operation.MoveRange(range, TARGET, 6)),
                List.of(new Operation.DeleteRange(range)),
                List.of(new Operation.Truncate(TARGET, 5)),
                List.of(
                        new Operation.MakeDirectory(new FilePath("/c"), DIRECTORY, false),
                        new Operation.CloneFile(SOURCE, COPY, false, AttributeChange.NONE)),
                List.of(new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/c"))),
                List.of(new Operation.Rename(SOURCE, TARGET, true)),
                List.of(new Operation.CreateFile(new FilePath("/d/empty"), AttributeChange.NONE, false)));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void whatWasAnsweredOutlivesTheMasterAndEveryBuffer(List<Operation> operations) throws IOException {
        VectorResult result = table.apply(new OperationVector(List.of(), operations));
        assertThat(result).isInstanceOf(VectorResult.Applied.class);
        Map<String, Object> before = everything();

        loseMasterAndBuffer();

        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void manyVectorsLeaveFewJournals() throws IOException {
        for (int i = 0; i < MANY; i++) {
            cloneSource(i);
        }
        // A recovery reads each of them, and each upload writes the list of them.
        assertThat(stores.objects.keys("bdt/journal-")).hasSizeLessThan(MANY / 10);
        Map<String, Object> before = everything();

        loseMasterAndBuffer();

        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void journalsThatAreReplacedDuringARecoveryAreFoundAgain() throws IOException {
        // With the next one they become one.
        for (int i = 0; i < 16; i++) {
            cloneSource(i);
        }
        Map<String, byte[]> listed = stores.objects.copy();
        cloneSource(16);
        assertThat(stores.objects.keys("bdt/journal-")).hasSize(1);
        Map<String, byte[]> replaced = stores.objects.copy();
        Map<String, Object> before = everything();
        stores.objects.become(listed);
        stores.objects.beforeDownload("bdt/journal-", () -> stores.objects.become(replaced));

        loseMasterAndBuffer();

        assertThat(everything()).isEqualTo(before);
    }

    private void cloneSource(int number) throws IOException {
        VectorResult result = table.apply(OperationVector.of(
                new Operation.CloneFile(SOURCE, new FilePath("/d/copy-" + number), false, AttributeChange.NONE)));
        assertThat(result).isInstanceOf(VectorResult.Applied.class);
    }

    @Test
    void whatGivesNoBytesCostsNoRequest() throws IOException {
        int puts = stores.objects.puts();
        VectorResult result = table.apply(OperationVector.of(
                new Operation.Rename(SOURCE, new FilePath("/d/moved"), false), new Operation.Delete(TARGET, false)));
        assertThat(result).isInstanceOf(VectorResult.Applied.class);
        assertThat(stores.objects.puts()).isEqualTo(puts);
    }

    @Test
    void onASyncedMountNoVectorWaits() throws IOException {
        master.kill();
        stores.dropTables();
        GrpcMasterTest.deleteAll(data);
        master = BdtMaster.start(TestStores.config(data).takingOver(), stores);
        Map<String, String> synced = uploaded();
        synced.remove("packing.durability");
        table = master.open(synced);
        int puts = stores.objects.puts();
        VectorResult result = table.apply(OperationVector.of(new Operation.Truncate(TARGET, 5)));
        assertThat(result).isInstanceOf(VectorResult.Applied.class);
        assertThat(stores.objects.puts()).isEqualTo(puts);
    }

    /** Each path with what is there, and where its bytes are. */
    private Map<String, Object> everything() throws IOException {
        Map<String, Object> all = new HashMap<>();
        for (FileStatus status : names().values()) {
            Optional<LocatedFile> file = status.isDirectory() ? Optional.empty() : table.locate(status.path());
            all.put(
                    status.path().value(),
                    file.isEmpty()
                            ? "directory"
                            : status.attributes().length() + " " + file.get().placement());
        }
        return all;
    }
}
