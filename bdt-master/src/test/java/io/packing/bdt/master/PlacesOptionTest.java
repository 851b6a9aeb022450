// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The option of a master about callers who learn places in blobs. */
final class PlacesOptionTest {
    @Test
    void withoutTlsNobodyIsKnownAndPlacesAreForAll() {
        assertThat(BdtMasterOptions.from(Map.of()).access().permissions().places())
                .isEqualTo(PermissionOptions.Places.ALL);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BdtMasterOptions.from(Map.of("bdt.places", "daemons")))
                .withMessageContaining("option bdt.places: daemons needs TLS")
                .withMessageContaining("set bdt.tls.trust");
    }

    @Test
    void withTlsDaemonsAloneMayLearnThem() {
        Map<String, String> options = new HashMap<>();
        options.put("bdt.tls.trust", "authority.crt");
        options.put("bdt.tls.certificate", "master.crt");
        options.put("bdt.tls.key", "master.key");
        options.put("bdt.places", "daemons");
        assertThat(BdtMasterOptions.from(options).access().permissions().places())
                .isEqualTo(PermissionOptions.Places.DAEMONS);
        options.put("bdt.places", "nobody");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BdtMasterOptions.from(options))
                .withMessageContaining("bdt.places");
    }
}
