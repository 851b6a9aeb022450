// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.packing.durable.DurableDirectory;
import io.packing.power.Loss;
import io.packing.power.PowerDisk;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class MemberLogTest {
    private static final UUID GROUP = new UUID(1, 2);
    private static final String SEGMENT = "log_inprogress_0";

    private final PowerDisk disk = new PowerDisk();

    private static Path top(PowerDisk on) {
        return on.root().resolve("log");
    }

    private static Path log(PowerDisk on) {
        return top(on).resolve(GROUP.toString()).resolve("current");
    }

    @ParameterizedTest
    @EnumSource
    void entriesOfAKilledProcessAreStableOnceTheNextOneTakesThem(Loss loss) throws IOException {
        Path unused = DurableDirectory.create(top(disk));
        Files.createDirectories(log(disk));
        byte[] entries = {1, 2, 3};
        try (FileChannel killed =
                FileChannel.open(log(disk).resolve(SEGMENT), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            assertThat(killed.write(ByteBuffer.wrap(entries))).isEqualTo(entries.length);
        }
        MemberLog.force(top(disk), GROUP);
        PowerDisk after = disk.afterLoss(loss, Seed.random());
        ByteBuffer read = ByteBuffer.allocate(entries.length);
        try (FileChannel segment = FileChannel.open(log(after).resolve(SEGMENT), StandardOpenOption.READ)) {
            assertThat(segment.read(read)).isEqualTo(entries.length);
        }
        assertThat(read.array()).isEqualTo(entries);
    }

    @Test
    void aNewMemberHasNoLog() {
        assertThatCode(() -> MemberLog.force(top(disk), GROUP)).doesNotThrowAnyException();
    }
}
