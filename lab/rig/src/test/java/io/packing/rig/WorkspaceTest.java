// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class WorkspaceTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void everyPartIsClosedNewestFirstAndTheDirectoryGoesAlthoughOneFails() throws Exception {
        Workspace workspace = Workspace.create("packing-workspace-test");
        workspace.own(() -> closed.add("first"));
        workspace.own(() -> {
            closed.add("second");
            throw new IllegalStateException("stuck");
        });
        workspace.own(() -> closed.add("third"));
        Files.writeString(workspace.directory().resolve("file"), "left behind");

        assertThatThrownBy(workspace::close).isInstanceOf(IOException.class).hasMessageContaining("stuck");

        assertThat(closed).containsExactly("third", "second", "first");
        assertThat(workspace.directory()).doesNotExist();
    }

    @Test
    void closingTwiceIsClosingOnce() throws Exception {
        Workspace workspace = Workspace.create("packing-workspace-test");
        workspace.own(() -> closed.add("part"));
        workspace.close();
        workspace.close();
        assertThat(closed).containsExactly("part");
    }

    @Test
    void aPartThatComesTooLateIsClosedAtOnce() throws Exception {
        Workspace workspace = Workspace.create("packing-workspace-test");
        workspace.close();
        assertThatThrownBy(() -> workspace.own(() -> closed.add("late"))).hasMessageContaining("closed while");
        assertThat(closed).containsExactly("late");
    }
}
