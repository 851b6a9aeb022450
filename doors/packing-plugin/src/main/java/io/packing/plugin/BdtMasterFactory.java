// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import alluxio.conf.Configuration;
import alluxio.conf.PropertyKey;
import alluxio.master.Master;
import alluxio.master.MasterContext;
import alluxio.master.MasterFactory;
import alluxio.master.MasterRegistry;
import alluxio.util.network.NetworkAddressUtils;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Puts a BDT master into Alluxio's master process; found there by Java's service loader. The master is configured by
 * the {@code bdt.*} properties of Alluxio's site properties, which are those of the master as a process of its own.
 */
public final class BdtMasterFactory implements MasterFactory<MasterContext<?>> {
    @Override
    public boolean isEnabled() {
        return true;
    }

    @Override
    public String getName() {
        return EmbeddedBdtMaster.NAME;
    }

    @Override
    public Master create(MasterRegistry registry, MasterContext<?> context) {
        EmbeddedBdtMaster master = new EmbeddedBdtMaster(context, properties());
        registry.add(EmbeddedBdtMaster.class, master);
        return master;
    }

    private static Map<String, String> properties() {
        Map<String, String> own = new HashMap<>();
        own.put("bdt.data.dir", workDirectory().resolve("packing-bdt").toString());
        // Clients come by Alluxio's port; only this process calls the other one.
        own.put("bdt.port", "0");
        own.put(
                "bdt.address",
                NetworkAddressUtils.getConnectAddress(
                                NetworkAddressUtils.ServiceType.MASTER_RPC, Configuration.global())
                        .toString());
        for (PropertyKey key : Configuration.keySet()) {
            if (key.getName().startsWith("bdt.") && Configuration.isSet(key)) {
                own.put(key.getName(), Configuration.getString(key));
            }
        }
        return own;
    }

    private static Path workDirectory() {
        return Path.of(Configuration.getString(PropertyKey.WORK_DIR));
    }
}
