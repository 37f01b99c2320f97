module.exports = (config) => {
  config.setLiquidOptions({ jekyllInclude: true, dynamicPartials: false });
  config.setQuietMode(true);
};
