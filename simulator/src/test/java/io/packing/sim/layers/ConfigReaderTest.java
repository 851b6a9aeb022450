// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.packing.cache.CachePolicy;
import io.packing.sim.hdfs.HdfsOptions;
import io.packing.sim.node.DeviceOptions;
import io.packing.sim.node.NodeStoreOptions;
import io.packing.sim.tier.TieredCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigReaderTest {
    @Test
    void theDefaultsAreThePapers() {
        SimulatorOptions config = ConfigReader.read(ConfigFactory.empty());
        assertThat(config.blockBytes()).isEqualTo(256 << 20);
        assertThat(config.replicas()).isEqualTo(3);
        assertThat(config.architecture()).isEqualTo(HdfsOptions.Architecture.MID_REPLICATED);
        assertThat(config.store().disks()).isEqualTo(15);
        assertThat(config.store().device()).isEqualTo(new DeviceOptions.Spinning(10_000_000, 100_000_000));
        assertThat(config.store().ramBytes()).isEqualTo(30_000_000_000L);
        assertThat(config.store().ramPolicy()).isEqualTo(CachePolicy.LRU);
        assertThat(config.store().flashPolicy()).isEqualTo(CachePolicy.LRU);
        assertThat(config.store().flashBytes()).isZero();
        assertThat(config.store().flashNanos()).isEqualTo(500_000);
        assertThat(config.store().sliceBytes()).isEqualTo(1 << 20);
        assertThat(config.store().blockBytes()).isEqualTo(4096);
        assertThat(config.store().writePolicy()).isEqualTo(NodeStoreOptions.WritePolicy.NO_WRITE_ALLOCATE);
        assertThat(config.store().flashHit()).isEqualTo(TieredCache.FlashHit.PROMOTE);
        assertThat(config.flashCycles()).isEqualTo(10_000);
        assertThat(config.cost()).isEqualTo(new CostOptions(100, 5, 0.8, 0.04, 0.04));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ram.sice = 1 GB                   | no parameter 'stack.ram.sice'; the nearest are 'stack.ram.size'
                    disks.spinning.seeks = 1ms        | the nearest are 'stack.disks.spinning.seek'
                    ram.size = -1                     | ram.size
                    ram.size = lots                   | ram.size
                    flash.hit = promotes              | flash.hit: no 'promotes'
                    ram.policy = lur                  | ram.policy: no policy 'lur'; there are lru, sieve
                    flash.policy = caffeine           | flash.policy: no policy 'caffeine'
                    disks.count = 0                   | disks.count: from 1
                    hdfs.logging = combined, disks.count = 1 | combined logging needs a second disk
                    buffer.threshold = 1 MiB          | needs flash
                    buffer.files-of = [gets]          | buffer.files-of: no activity 'gets'
                    disks.slice = 0 B                 | disks.slice
                    hdfs.architecture = bottom        | hdfs.architecture: no 'bottom'
                    flash.cycles = 0                  | flash.cycles
                    """)
    void whatIsMisspeltOrImpossibleIsRefusedByName(String changes, String says) {
        assertThatThrownBy(() -> ConfigReader.read(ConfigFactory.parseString(changes)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(says.strip());
    }
}
