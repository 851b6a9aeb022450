// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Two groups of masters for each test. */
abstract class TwoGroupsFixture {
    @TempDir
    Path root;

    TwoGroups groups;

    @BeforeEach
    void start() throws IOException {
        groups = new TwoGroups(root);
    }

    @AfterEach
    void stop() {
        groups.close();
    }

    /** The only master of a group dies with its disk, and another one takes its place. */
    void loseDisk(String group) throws IOException {
        groups.kill(group);
        MoreFiles.deleteRecursively(root.resolve(group), RecursiveDeleteOption.ALLOW_INSECURE);
        BdtMaster unused = groups.start(group, "");
    }
}
