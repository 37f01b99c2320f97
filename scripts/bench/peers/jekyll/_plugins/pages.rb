# Makes a page of each record and of each list of the data, as collection sites on Jekyll do.
module Microfiche
  class DataPage < Jekyll::Page
    def initialize(site, path, data)
      @site = site
      @base = site.source
      @dir = File.dirname(path)
      @name = File.basename(path)
      process(@name)
      @data = data
      @content = ''
    end
  end

  class Pages < Jekyll::Generator
    def generate(site)
      site.data['items'].each do |item|
        site.pages << DataPage.new(site, "objects/#{item['id']}.html", { 'layout' => 'record', 'item' => item })
      end
      site.data['lists'].each do |list|
        site.pages << DataPage.new(site, list['path'], { 'layout' => 'list', 'list' => list })
      end
    end
  end
end
