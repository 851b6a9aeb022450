// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import alluxio.AlluxioURI;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A mount's URI names one BDT master or several, and Alluxio leaves them as they are. */
final class UfsPathsTest {
    @Test
    void severalMastersArriveThroughAlluxiosUris() throws IOException {
        String masters = "h1:19998,h2:19998,h3:19998";
        String uri = new AlluxioURI("packing://" + masters + "/small/d").toString();
        assertThat(UfsPaths.authority(uri)).isEqualTo(masters);
        assertThat(UfsPaths.toPacking(uri)).isEqualTo(new FilePath("/small/d"));
    }

    @Test
    void whatTheSystemKeepsIsRefusedToUsers() throws IOException {
        for (String reserved : List.of("/.reserved", "packing://h:1/.reserved/scratch/x", "//.reserved/")) {
            assertThatIOException()
                    .as(reserved)
                    .isThrownBy(() -> UfsPaths.toPacking(reserved))
                    .withMessageContaining("/.reserved and what is below it is the system's own; use another path");
        }
        assertThat(UfsPaths.toPacking("/.reserved-not/a/.reserved"))
                .isEqualTo(new FilePath("/.reserved-not/a/.reserved"));
    }

    @Test
    void anAddressWithoutAPortIsRefusedWithTheRightForm() {
        for (String wrong : List.of("packing:///a", "packing://h/a", "packing://h1:1,h2/a", "packing://h1:1,,h2:2/a")) {
            assertThatIllegalArgumentException()
                    .as(wrong)
                    .isThrownBy(() -> UfsPaths.authority(wrong))
                    .withMessageContaining("packing://HOST1:PORT1,HOST2:PORT2/path");
        }
    }
}
