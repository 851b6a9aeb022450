// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.usergroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UserGroupsTest {
    @TempDir
    private Path home;

    @Test
    void accountsOfTheMachineHaveTheirGroups() throws IOException {
        String owner = Files.getOwner(Path.of("/")).getName();
        assertThat(new UnixUserGroups().groups(owner)).contains(owner);
    }

    @Test
    void whoHasNoAccountHasNoGroupsWhateverTheName() throws IOException {
        for (String name : List.of("nobody-has-this-name", "-u", "--help", "a b", "$(id)", "é")) {
            assertThat(new UnixUserGroups().groups(name)).as(name).isEmpty();
        }
    }

    @Test
    void namesOfGroupsMayHaveSpaces() throws IOException {
        UnixUserGroups groups = new UnixUserGroups(List.of("sh", "-c", "printf 'domain users\\0wheel\\0'", "--"));
        assertThat(groups.groups("alice")).containsExactlyInAnyOrder("domain users", "wheel");
    }

    @Test
    void aCommandThatIsNotThereIsAFailure() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new UnixUserGroups(List.of("/no/such/id")).groups("alice"));
    }

    @Test
    void aFileIsReadAgainWhenItChangesAndADamagedOneIsNot() throws IOException {
        Path file = Files.writeString(
                home.resolve("group"), "# ours\n\nstaff:x:50:alice,bob\nwheel:x:1:alice\nempty:x:2:\n");
        UserGroupFile groups = UserGroupFile.read(file);
        assertThat(groups.groups("alice")).containsExactlyInAnyOrder("staff", "wheel");
        assertThat(groups.groups("bob")).containsExactly("staff");
        assertThat(groups.groups("carol")).isEmpty();
        write(file, "staff:x:50:bob\n", 10);
        assertThat(groups.groups("alice")).isEmpty();
        write(file, "staff\n", 20);
        assertThat(groups.groups("bob")).as("what was read last").containsExactly("staff");
        Files.delete(file);
        assertThat(groups.groups("bob")).containsExactly("staff");
    }

    private static void write(Path file, String text, long seconds) throws IOException {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH.plusSeconds(seconds)));
    }

    @Test
    void aFileOfAnotherFormatIsRefusedWithItsLine() throws IOException {
        Path file = Files.writeString(home.resolve("group"), "staff:x:50:alice\nalice staff\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UserGroupFile.read(file))
                .withMessageContaining("line 2");
        assertThatIllegalArgumentException().isThrownBy(() -> UserGroupFile.read(home.resolve("none")));
    }
}
