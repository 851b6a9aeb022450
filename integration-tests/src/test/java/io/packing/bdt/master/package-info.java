/** What tests need of a master's inside. */
@NullMarked
package io.packing.bdt.master;

import org.jspecify.annotations.NullMarked;
